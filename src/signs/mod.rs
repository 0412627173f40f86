//! Signs: which readings a sign has, which glyph a reading is, and how often the corpora have it.
