// An emulated RP2040 (npm rp2040js) that runs a UF2: its USB serial port is this process's stdin and stdout.
// node emulator.mjs UF2 BOOTROM.json RP2040JS-FOLDER
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [uf2, bootrom, folder] = process.argv.slice(2);
const entry = pathToFileURL(join(folder, 'node_modules/rp2040js/dist/esm/index.js'));
const { Simulator, USBCDC } = await import(entry);

const FLASH_START = 0x10000000;
const simulator = new Simulator();
const chip = simulator.rp2040;
chip.loadBootrom(new Uint32Array(JSON.parse(readFileSync(bootrom, 'utf8'))));
// Its own logger writes where the serial port's bytes go.
const silent = () => {};
chip.logger = { debug: silent, warn: silent, error: silent, info: silent };

const image = readFileSync(uf2);
for (let at = 0; at + 512 <= image.length; at += 512) {
  if (image.readUInt32LE(at) !== 0x0a324655 || image.readUInt32LE(at + 4) !== 0x9e5d5157) {
    throw new Error(`no UF2 block at ${at}`);
  }
  const size = image.readUInt32LE(at + 16);
  chip.flash.set(image.subarray(at + 32, at + 32 + size), image.readUInt32LE(at + 12) - FLASH_START);
}

const cdc = new USBCDC(chip.usbCtrl);
const waiting = [];
cdc.onDeviceConnected = () => process.stderr.write('connected\n');
cdc.onSerialData = (data) => process.stdout.write(Buffer.from(data));
process.stdin.on('data', (data) => waiting.push(...data));
process.stdin.on('end', () => process.exit(0));
// Its queue holds 512 bytes and throws away what is more.
setInterval(() => {
  while (waiting.length && cdc.txFIFO.itemCount < 128) cdc.sendSerialByte(waiting.shift());
}, 1);

chip.core.PC = FLASH_START;
simulator.execute();
