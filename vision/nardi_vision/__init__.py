"""The eye of Nardi: pictures of a board in, readings of what stands where out."""
