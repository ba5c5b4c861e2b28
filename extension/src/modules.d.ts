// pi gives its own module to extensions; nothing of it is installed here.
declare module "@earendil-works/pi-coding-agent";
