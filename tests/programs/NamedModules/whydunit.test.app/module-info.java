module whydunit.test.app {
    requires whydunit.test.lib;

    uses lib.Greeter;

    opens app to whydunit.test.lib;
}
