//! Tells the linker that Node provides the symbols of its own interface.

fn main() {
    napi_build::setup();
}
