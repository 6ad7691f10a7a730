// The app's background work: the same program, asked line by line as in app/worker/protocol.h.
"use strict";

importScripts("module.js", "reduction-lab.js");

let app = null;
onmessage = async event => {
  if (event.data.program)
    app = labFetch("data.bin").then(data => ReductionLab({
      ...labModule(event.data.program, data),
      printErr: text => console.warn(text),
    }));
  else
    (await app).ccall("lab_serve", null, ["string"], [event.data.line]);
};
onunhandledrejection = event => { throw event.reason; };  // for the page's onerror
