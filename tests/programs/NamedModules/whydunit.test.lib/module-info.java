module whydunit.test.lib {
    exports lib;

    provides lib.Greeter with lib.internal.LoudGreeter;
}
