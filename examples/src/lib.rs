//! Examples; see the files beside this folder.
