// What the app asks of a browser: a canvas, files, the clipboard, its address, workers. The app's side is
// app/base/platform.h, app/gui/window_web.cpp and app/worker/client_web.cpp.
"use strict";

// In a frame of somebody's page: one picture and its steps, the same for everybody, so nothing is kept. It
// takes the wheel, fingers and Tab only once it was clicked.
const labEmbedded = !labPlatform.course && new URLSearchParams(location.search).has("embed");
document.documentElement.classList.toggle("embedded", labEmbedded);

// What is kept in this browser for the next visit: localStorage, which may be refused, be full, or be
// changed by another tab.
const labKept = {
  prefix: "reduction-lab:" + labPlatform.student,  // before the path of a file
  closed: false,             // another tab has written: ours would undo that
  store() { try { return window.localStorage; } catch (error) { return null; } },
  read(path) { try { if (labEmbedded) return null; return labKept.store().getItem(labKept.prefix + path); } catch (error) { return null; } },
  write(path, text) {
    if (labKept.closed || labEmbedded) return;
    try {
      labKept.store().setItem(labKept.prefix + path, text);
    } catch (error) {
      labPage.note("not_kept");
    }
  },
  files() {
    const found = [];
    if (labEmbedded) return found;
    try {
      const store = labKept.store();
      for (let i = 0; i < store.length; ++i) {
        const path = store.key(i).startsWith(labKept.prefix) ? store.key(i).slice(labKept.prefix.length) : "";
        if (/^\/home\/web_user(\/[^/]+)+$/.test(path) && !path.includes("..")) found.push([path, store.getItem(store.key(i))]);
      }
    } catch (error) { /* refused: said once something is to be kept */ }
    return found;
  },
};

// What the page says itself, where the app is not there to say it.
const labWords = {
  en: {
    stopped: "Reduction Lab has stopped.", again: "What this browser keeps is safe: load the page again.",
    plain: "Open the page without the part behind “?”", old: "This browser is too old: Chrome 91, Firefox 113, Safari 16.4 or later will do.",
    webgl: "This browser draws no WebGL 2. Try another one, or switch its hardware acceleration on.",
    file: "A page opened as a file may not load its parts. Serve the folder instead, for example by: python3 -m http.server",
    sandbox: "A frame with the attribute “sandbox” may not load the parts of this page: add allow-same-origin to it.",
    whole: "Open in Reduction Lab",
    actions: "What you can do here",
    graphics: "The browser took the graphics away, perhaps since memory was short.", load: "Load the page again",
    not_kept: "This browser keeps nothing for the next visit: its storage is refused or full. Hand in or save before you close the page.",
    other_tab: "Reduction Lab was used in another tab. From now on only that one is kept.", take_over: "Load what it kept",
    no_platform: "There is no learning platform around this page, so no score is reported. Your answers are kept in this browser.",
    not_reported: "The learning platform did not take the score. Your answers are kept in this browser; open the lesson here again to send them.",
  },
  zh: {
    stopped: "Reduction Lab 已停止。", again: "此浏览器保存的内容仍在：请重新加载页面。",
    plain: "打开不带“?”后内容的页面", old: "浏览器版本过旧：需要 Chrome 91、Firefox 113、Safari 16.4 或更新版本。",
    webgl: "此浏览器不支持 WebGL 2。请换一个浏览器，或打开硬件加速。",
    file: "以文件方式打开的页面无法加载其余部分。请用服务器打开该文件夹，例如：python3 -m http.server",
    sandbox: "带 “sandbox” 属性的框架无法加载本页的其余部分：请为其加上 allow-same-origin。",
    whole: "在 Reduction Lab 中打开",
    actions: "此处可进行的操作",
    graphics: "浏览器收回了图形资源，可能是内存不足。", load: "重新加载页面",
    not_kept: "此浏览器不会为下次访问保存任何内容：存储被拒绝或已满。关闭页面前请提交或保存。",
    other_tab: "Reduction Lab 已在另一个标签页中使用。此后只保存那一页的内容。", take_over: "加载它保存的内容",
    no_platform: "此页面不在学习平台中，因此不会报告成绩。你的答案保存在此浏览器中。",
    not_reported: "学习平台没有接受成绩。你的答案保存在此浏览器中；在这里再次打开本课即可发送。",
  },
  ru: {
    stopped: "Reduction Lab остановилась.", again: "То, что хранит этот браузер, цело: загрузите страницу снова.",
    plain: "Открыть страницу без части после «?»", old: "Браузер слишком старый: нужен Chrome 91, Firefox 113, Safari 16.4 или новее.",
    webgl: "В этом браузере нет WebGL 2. Попробуйте другой или включите аппаратное ускорение.",
    file: "Страница, открытая как файл, не может загрузить свои части. Откройте папку через сервер, например: python3 -m http.server",
    sandbox: "Рамка с атрибутом «sandbox» не может загрузить части этой страницы: добавьте в него allow-same-origin.",
    whole: "Открыть в Reduction Lab",
    actions: "Что здесь можно сделать",
    graphics: "Браузер отобрал графику, возможно, из-за нехватки памяти.", load: "Загрузить страницу снова",
    not_kept: "Этот браузер ничего не сохранит до следующего раза: хранилище запрещено или заполнено. Сдайте или сохраните работу, прежде чем закрыть страницу.",
    other_tab: "Reduction Lab открыта в другой вкладке. Отныне сохраняется только то, что делается там.", take_over: "Загрузить сохранённое там",
    no_platform: "Эта страница открыта не в учебной платформе, поэтому оценка не передаётся. Ваши ответы сохранены в этом браузере.",
    not_reported: "Учебная платформа не приняла оценку. Ваши ответы сохранены в этом браузере; откройте урок здесь снова, чтобы отправить их.",
  },
};
const labSays = key => (labWords[document.documentElement.lang] || labWords.en)[key];

const labPage = {
  pasted: "",
  app: null,        // the module, once it runs
  workers: new Map(),
  compiled: null,   // WebAssembly.Module, shared with the workers
  fragment: "",
  canvas: document.getElementById("canvas"),
  home: "/home/web_user",

  toHeap(text) { return labPage.app.allocateUTF8(text); },
  call(name, types, values) { return labPage.app.ccall(name, null, types, values); },

  // Frames: one when something came in, or when the app asked for it.
  frameDue: false,
  timer: 0,
  wake() {
    clearTimeout(labPage.timer);
    if (labPage.frameDue || !labPage.app) return;
    labPage.frameDue = true;
    requestAnimationFrame(labPage.frame);
  },
  nextFrame(milliseconds) {
    clearTimeout(labPage.timer);
    if (milliseconds === 0) labPage.wake();
    else if (milliseconds > 0) labPage.timer = setTimeout(labPage.wake, Math.min(milliseconds, 1e9));
  },
  frame() {
    labPage.frameDue = false;
    if (!labPage.app) return;
    try {
      labPage.call("lab_frame", [], []);
    } catch (error) {
      labPage.fail(error);
      return;
    }
    if (labPage.shown) return;
    labPage.shown = true;
    labPage.firstPicture = performance.now();
    document.getElementById("loading").remove();
    if (!labEmbedded) labPage.canvas.focus();
    if (navigator.serviceWorker && isSecureContext && !labPlatform.course)  // refused in some frames and private windows
      navigator.serviceWorker.register("sw.js").catch(error => console.info(`Not kept for use without a network: ${error.message}`));
  },
  // Ends the app, and says why and what to do.
  fail(error, advice = labSays("again")) {
    const place = document.getElementById("loading") || document.body.appendChild(document.createElement("div"));
    place.id = "loading";
    place.className = "failed";
    place.textContent = `${labSays("stopped")}\n${error && error.message || error}\n${advice}`;
    if (location.search) {  // perhaps the address asks for what there is not
      const link = place.appendChild(document.createElement("a"));
      link.href = location.pathname;
      link.textContent = labSays("plain");
    }
    console.error(error);
    labPage.app = null;
  },
  // Says something in a bar above the app, until it is closed.
  note(key, button, act) {
    if (document.getElementById("note-" + key)) return;
    const bar = document.body.appendChild(document.createElement("div"));
    bar.id = "note-" + key;
    bar.className = "note";
    bar.setAttribute("role", "alert");
    bar.textContent = labSays(key);
    for (const [words, press] of [[button, act], ["×", () => bar.remove()]]) {
      if (!words) continue;
      const element = bar.appendChild(document.createElement("button"));
      element.textContent = words;
      element.onclick = press;
    }
  },

  // As many pixels as the display has.
  resize() {
    const scale = window.devicePixelRatio || 1;
    const width = Math.max(1, Math.round(labPage.canvas.clientWidth * scale)), height = Math.max(1, Math.round(labPage.canvas.clientHeight * scale));
    if (labPage.canvas.width !== width || labPage.canvas.height !== height) {
      labPage.canvas.width = width;
      labPage.canvas.height = height;
    }
    if (!labPage.app) return;
    labPage.call("lab_resized", ["number", "number", "number"], [width, height, scale]);
    labPage.wake();
  },

  // Files. Those in the user's configuration folder are kept here for the next visit; others are
  // downloads.
  isKept(path) { return path.includes("/.config/") || path.includes("/.local/"); },
  fileWritten(path) {
    const bytes = labPage.app.FS.readFile(path);
    if (path.includes("/.cache/")) return;
    if (!labPage.isKept(path)) return labPage.download(path.split("/").pop(), bytes);
    const text = new TextDecoder().decode(bytes);
    labKept.write(path, text);
    labPlatform.report(path, text);
  },
  restoreFiles(FS) {
    for (const [path, text] of labKept.files()) {
      FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
      FS.writeFile(path, text);
    }
    labPlatform.restore(FS);
  },
  async download(name, bytes) {
    let blob = new Blob([bytes]);
    if (name.endsWith(".png")) blob = await labPage.png(bytes);
    if (name.endsWith(".svg")) blob = new Blob([bytes], {type: "image/svg+xml"});
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  },
  // An SVG, or "pixels WIDTH HEIGHT" and the pixels: see app/figures/painters/pictures_web.cpp.
  async png(bytes) {
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("2d");
    const head = new TextDecoder().decode(bytes.subarray(0, 40)).match(/^pixels (\d+) (\d+)\n/);
    if (head) {
      canvas.width = +head[1];
      canvas.height = +head[2];
      const pixels = new Uint8ClampedArray(bytes.slice(head[0].length));
      context.putImageData(new ImageData(pixels, canvas.width, canvas.height), 0, 0);
    } else {
      const image = new Image();
      image.src = URL.createObjectURL(new Blob([await labPage.withFonts(new TextDecoder().decode(bytes))],
                                               {type: "image/svg+xml"}));
      await image.decode();
      canvas.width = image.naturalWidth * 2;
      canvas.height = image.naturalHeight * 2;
      context.drawImage(image, 0, 0, canvas.width, canvas.height);
      URL.revokeObjectURL(image.src);
    }
    return new Promise(resolve => canvas.toBlob(resolve, "image/png"));
  },
  // An SVG that is drawn as a picture sees no fonts but its own.
  async withFonts(svg) {
    const FS = labPage.app.FS, rules = [];
    for (const [family, weight, file] of [["Inter", 400, "sans.otf"], ["Inter", 600, "bold.otf"],
                                          ["JetBrains Mono", 400, "mono.ttf"], ["Noto Sans CJK SC", 400, "cjk.otf"]]) {
      const path = "/share/fonts/" + file;
      if (!FS.analyzePath(path).exists) continue;
      const url = await new Promise(resolve => {
        const reader = new FileReader();
        reader.onload = () => resolve(reader.result);
        reader.readAsDataURL(new Blob([FS.readFile(path)], {type: "font/" + file.slice(-3)}));
      });
      rules.push(`@font-face{font-family:"${family}";font-weight:${weight};src:url(${url})}`);
    }
    return svg.replace(/(<svg[^>]*>)/, `$1<style>${rules.join("")}</style>`);
  },
  take(file) {
    file.arrayBuffer().then(buffer => {
      const FS = labPage.app.FS, folder = labPage.home + "/opened";
      FS.mkdirTree(folder);
      const path = folder + "/" + file.name.replace(/[/\0]/g, "_").replace(/^\.+/, "_");
      FS.writeFile(path, new Uint8Array(buffer));
      if (/\.(cl|cuh?)$/.test(path) && buffer.byteLength < 100000)  // it is open again at the next visit
        labKept.write(path, new TextDecoder().decode(buffer));
      labPage.call("lab_drop", ["string"], [path]);
      labPage.wake();
    });
  },
  pickFile(suffixes) {
    const input = document.getElementById("file");
    input.accept = suffixes;
    input.value = "";
    input.click();
  },

  copyText(text) {
    labPage.pasted = text;
    const oldWay = () => {
      const area = document.getElementById("keyboard"), focused = document.activeElement;
      area.value = text;
      area.select();
      const copied = document.execCommand("copy");
      area.value = "";
      (focused || labPage.canvas).focus();
      if (!copied) labPage.call("lab_copy_refused", [], []);
      labPage.wake();
    };
    if (navigator.clipboard && isSecureContext) navigator.clipboard.writeText(text).catch(oldWay);
    else oldWay();
  },

  showFragment(fragment) {
    labPage.fragment = fragment;
    history.replaceState(history.state, "", fragment ? "#" + fragment : location.pathname + location.search);
  },
  // Work goes on: loading the page again must not bring the moment of the link back.
  leaveFragment() { if (labPage.app && labPage.fragment) labPage.showFragment(""); },
  words() { return document.getElementById("words").textContent; },
  // A line an element: of those, a reader of the screen says what changed.
  describe(text) {
    const words = document.getElementById("words"), lines = text.split("\n").filter(line => line);
    while (words.children.length > lines.length) words.lastChild.remove();
    lines.forEach((line, i) => {
      const place = words.children[i] || words.appendChild(document.createElement("p"));
      if (place.textContent !== line) place.textContent = line;
    });
  },
  // What can be done, as headings and buttons: out of sight until one of them has the focus.
  offer(text) {
    const [[language, view, command], ...entries] = text.trimEnd().split("\n").map(line => line.split("\t"));
    document.documentElement.lang = language;
    document.title = `${view} · Reduction Lab`;
    labPage.visit(command);
    const place = document.getElementById("actions"), focused = place.contains(document.activeElement) && document.activeElement;
    const old = new Map([...place.querySelectorAll("button")].map(button => [button.dataset.id, button]));
    place.setAttribute("aria-label", labSays("actions"));
    place.replaceChildren(...entries.map(([id, key, words]) => {
      const element = id ? old.get(id) || document.createElement("button") : document.createElement("h2");
      element.textContent = id ? words : key;
      if (!id) return element;
      element.dataset.id = id;
      element.setAttribute("aria-keyshortcuts", key.replace("Ctrl", "Control"));
      element.onclick = () => { labPage.call("lab_run", ["string"], [id]); labPage.wake(); };
      return element;
    }));
    if (focused) (place.contains(focused) ? focused : labPage.canvas).focus();
  },
  // The views are places of the browser's history: back and forward lead to those that were open.
  visit(command) {
    if (labEmbedded || command === labPage.place) return;
    if (labPage.place) history.pushState({command}, "", location.href);
    else history.replaceState({command}, "", location.href);
    labPage.place = command;
  },
  reload() {  // what was chosen meanwhile counts, not what the address began with
    const address = new URL(location.href);
    if (!labPlatform.course) address.search = "";  // a platform's own
    labPage.app = null;
    if (address.href === location.href) location.reload();
    else location.replace(address.href);
  },
  fillScreen(on) {
    labPage.filled = on;
    if (on && !document.fullscreenElement && document.documentElement.requestFullscreen)
      document.documentElement.requestFullscreen().catch(() => {});
    if (!on && document.fullscreenElement) document.exitFullscreen();
  },
  // Only a text field has a keyboard on a phone, and lets an input method compose.
  wantsText(wanted) {
    const area = document.getElementById("keyboard");
    if (wanted && document.activeElement !== area) area.focus({preventScroll: true});
    if (!wanted && document.activeElement === area) labPage.canvas.focus({preventScroll: true});
  },
  keys: new Set(),  // that the app has a command for, as "Ctrl+Shift+P"
  takeKeys(names) { labPage.keys = new Set(names.split("\n")); },

  // Workers run the same program: see web/worker.js.
  startWorker(id) {
    const worker = new Worker(labAt + "worker.js");
    labPage.workers.set(id, worker);
    worker.onmessage = event => {
      labPage.call("lab_worker_line", ["number", "string"], [id, event.data]);
      labPage.wake();
    };
    worker.onerror = event => {
      labPage.call("lab_worker_failed", ["number", "string"], [id, event.message || "It could not be started"]);
      labPage.wake();
    };
    worker.postMessage({program: labPage.compiled});
  },
  sendToWorker(id, line) { labPage.workers.get(id).postMessage({line}); },
  endWorker(id) {
    labPage.workers.get(id).terminate();
    labPage.workers.delete(id);
  },
};

// A key by the app's name for it. A letter counts by what it writes, or on a keyboard that writes no Latin
// letters by its place. On a Mac, Command stands for Ctrl.
const isMac = /^(Mac|iP)/.test(navigator.platform);
function nameOf(event) {
  const names = {" ": "Space", "=": "+"};
  let key = event.key.replace(/^Arrow/, "");
  if (/^(Key[A-Z]|Digit\d)$/.test(event.code) && !/^[ -~]$/.test(key)) key = event.code.slice(-1);
  key = names[key] || (key.length === 1 ? key.toUpperCase() : key);
  return (commands(event) ? "Ctrl+" : "") + (event.shiftKey && key !== "+" ? "Shift+" : "") + (event.altKey ? "Alt+" : "") + key;
}
function commands(event) { return isMac ? event.metaKey : event.ctrlKey; }
// What reloads, closes, opens and enlarges pages is the browser's, also where the app has a command of that
// key; and what finds in them, but in a text that is being typed.
const browsers = /^(Ctrl\+(Shift\+)?[RTWNLQIJ]|Ctrl\+[0+-]|Ctrl\+Tab|(Ctrl\+)?F5|F12|Alt\+Home)$/;
const finds = /^(Ctrl\+F|(Shift\+)?F3)$/;
// The browser's but in the view where the app does something by them.
const inView = {"Alt+Left": "view.learn", "Alt+Right": "view.learn", "Alt+D": "view.race"};
const inFields = /^(Ctrl\+(Shift\+)?([AZY]|Left|Right|Home|End|Backspace|Delete)|(Shift\+)?(Tab|Backspace|Enter|Left|Right|Up|Down|Home|End|PageUp|PageDown|Space))$/;
addEventListener("keydown", event => {
  labPage.wake();
  if (/^(BUTTON|A)$/.test(event.target.tagName)) return event.stopImmediatePropagation();  // of the page
  if (labEmbedded && event.key === "Tab") return event.stopImmediatePropagation();  // leads on in the page around it
  if (event.isComposing || event.key === "Process" || event.key === "Unidentified" || event.keyCode === 229) return event.stopImmediatePropagation();
  const name = nameOf(event);
  if (finds.test(name) && event.target.id !== "keyboard") return event.stopImmediatePropagation();
  if (browsers.test(name) || (name in inView && inView[name] !== labPage.place) || (event.metaKey && !isMac)) return event.stopImmediatePropagation();  // the app must not act as well
  const typing = event.target.id === "keyboard" && event.key.length === 1 && !commands(event);
  if (!typing && (labPage.keys.has(name) || inFields.test(name))) event.preventDefault();
  if (!/^(Shift|Control|Alt|Meta)$/.test(event.key)) labPage.leaveFragment();
}, true);
// Letters in the text field come as input.
addEventListener("keypress", event => { if (event.target.id === "keyboard") event.stopImmediatePropagation(); }, true);
for (const kind of ["mousedown", "touchstart"]) addEventListener(kind, labPage.leaveFragment, true);
for (const kind of ["keyup", "keypress", "mousemove", "mousedown", "mouseup", "mouseleave", "focus", "blur"])
  addEventListener(kind, () => labPage.wake(), true);
// GLFW lets go of all keys then. Only if the page loses them: an Alt is held on while a field gets the keyboard.
addEventListener("blur", event => { if (event.target !== window) event.stopImmediatePropagation(); }, true);
addEventListener("paste", event => { labPage.pasted = event.clipboardData.getData("text/plain"); labPage.wake(); });
addEventListener("resize", labPage.resize);
document.addEventListener("contextmenu", event => { if (event.target === labPage.canvas) event.preventDefault(); });
document.addEventListener("fullscreenchange", () => {
  if (document.fullscreenElement || !labPage.filled || !labPage.app) return;
  labPage.call("lab_left_full_screen", [], []);  // by the browser's own Escape
  labPage.wake();
});
addEventListener("storage", event => {
  if (labKept.closed || !labPage.app || !(event.key || "").startsWith(labKept.prefix)) return;
  labKept.closed = true;
  if (document.hidden) labPage.stale = true;
  else labPage.note("other_tab", labSays("take_over"), () => location.reload());
});
labPage.canvas.addEventListener("webglcontextlost", event => {
  event.preventDefault();
  if (labPage.app) labPage.call("lab_leave", [], []);
  labPage.fail(labSays("graphics"));
  const button = document.getElementById("loading").appendChild(document.createElement("button"));
  button.textContent = labSays("load");
  button.onclick = () => location.reload();
});
labPage.canvas.addEventListener("webglcontextrestored", () => location.reload());
addEventListener("pagehide", () => {
  if (labPage.app) labPage.call("lab_leave", [], []);
  labPlatform.finish();
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden && labPage.app) labPage.call("lab_leave", [], []);
  if (!document.hidden && labPage.stale) location.reload();  // the other tab's work, not ours of before
});
document.getElementById("file").addEventListener("change", event => {
  for (const file of event.target.files) labPage.take(file);
});
addEventListener("dragover", event => event.preventDefault());
addEventListener("drop", event => {
  event.preventDefault();
  event.stopImmediatePropagation();
  for (const file of event.dataTransfer.files) labPage.take(file);
}, true);
addEventListener("popstate", event => {
  if (!labPage.app || !event.state || !event.state.command) return;
  labPage.place = event.state.command;
  labPage.call("lab_run", ["string"], [labPage.place]);
  labPage.wake();
});
addEventListener("hashchange", () => {
  if (location.hash.slice(1) !== labPage.fragment) location.reload();
});
const isAsleep = () => labEmbedded && document.activeElement !== labPage.canvas;
labPage.canvas.addEventListener("wheel", event => {
  if (isAsleep()) return event.stopImmediatePropagation();
  event.preventDefault();
  event.stopImmediatePropagation();
  const unit = event.deltaMode === 0 ? 100 : event.deltaMode === 1 ? 3 : 1;
  const [x, y] = [-event.deltaX / unit, -event.deltaY / unit];
  if (labPage.app) labPage.call("lab_wheel", ["number", "number"], [x, y]);
  labPage.wake();
}, {passive: false, capture: true});

// Fingers: one is the mouse, two come closer or go farther, or scroll.
const fingers = new Map();
let span = 0, middle = null;
function touched(event) {
  if (isAsleep()) return event.stopImmediatePropagation();  // a tap comes as a click
  event.preventDefault();
  event.stopImmediatePropagation();
  if (!labPage.app) return;
  labPage.touched = true;
  const scale = window.devicePixelRatio || 1;
  for (const touch of event.changedTouches) {
    if (event.type === "touchend" || event.type === "touchcancel") fingers.delete(touch.identifier);
    else fingers.set(touch.identifier, [touch.clientX * scale, touch.clientY * scale]);
  }
  const all = [...fingers.values()];
  if (all.length >= 2) {
    const [a, b] = all;
    const now = Math.hypot(a[0] - b[0], a[1] - b[1]), centre = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    labPage.call("lab_touch", ["number", "number", "boolean"], [...centre, false]);
    if (middle) {
      const closer = Math.log(now / span) / Math.log(1.25);
      labPage.call("lab_pinch", ["number", "number", "number"], [closer, (centre[0] - middle[0]) / scale, (centre[1] - middle[1]) / scale]);
    }
    [span, middle] = [now, centre];
  } else {
    const touch = event.changedTouches[0];
    const down = all.length === 1 && !middle;
    labPage.call("lab_touch", ["number", "number", "boolean"], [touch.clientX * scale, touch.clientY * scale, down]);
    if (all.length === 0) middle = null;
  }
  labPage.wake();
}
for (const kind of ["touchstart", "touchmove", "touchend", "touchcancel"])
  labPage.canvas.addEventListener(kind, touched, {passive: false, capture: true});

// What is typed into the text field, by keys, a phone's keyboard or an input method. While a word is being
// composed each event brings the whole of it: what differs from the last is typed anew.
let composed = [];
function typeComposed(word) {
  const now = [...word];
  let same = 0;
  while (same < now.length && now[same] === composed[same]) ++same;
  for (let i = composed.length; i > same; --i) pressKey(1);
  if (now.length > same) labPage.call("lab_type", ["string"], [now.slice(same).join("")]);
  composed = now;
}
function pressKey(backspace) {
  for (const down of [true, false]) labPage.call("lab_key", ["number", "boolean"], [backspace, down]);
}
const field = document.getElementById("keyboard");
field.addEventListener("compositionstart", () => { composed = []; });
field.addEventListener("compositionupdate", event => { if (labPage.app) typeComposed(event.data || ""); labPage.wake(); });
field.addEventListener("compositionend", event => {
  if (labPage.app) typeComposed(event.data || "");
  composed = [];
  field.value = "";
  labPage.wake();
});
field.addEventListener("input", event => {
  if (event.isComposing || /Composition/.test(event.inputType) || !labPage.app) return;
  if (event.inputType === "deleteContentBackward") pressKey(1);
  else if (event.inputType === "insertLineBreak") pressKey(0);
  else if (event.inputType !== "insertFromPaste" && event.data) labPage.call("lab_type", ["string"], [event.data]);
  field.value = "";
  labPage.wake();
});

// Dear ImGui asks for the scissor box and the blending before each frame, to put them back after it; so
// they are always the same. A browser answers once all that was drawn is done, which takes longer than the
// frame.
const GL = window.WebGL2RenderingContext;
if (GL) {
  const asked = GL.prototype.getParameter, answers = new Map();
  const kept = new Set([GL.SCISSOR_BOX, GL.BLEND_SRC_RGB, GL.BLEND_DST_RGB, GL.BLEND_SRC_ALPHA, GL.BLEND_DST_ALPHA,
                        GL.BLEND_EQUATION_RGB, GL.BLEND_EQUATION_ALPHA]);
  GL.prototype.getParameter = function (name) {
    if (!kept.has(name)) return asked.call(this, name);
    if (!answers.has(name)) answers.set(name, asked.call(this, name));
    return answers.get(name);
  };
}

// The start: settings of the last visit, what the address says, and for Chinese its font.
(async () => {
  // Page 0 is the one where the student was.
  const query = new URLSearchParams(labPlatform.course ? {lesson: labPlatform.course.lesson, page: 0, view: "learn"} : location.search);
  const words = [];
  const lesson = query.get("lesson");  // its number or name; with a page
  if (lesson) query.set("page", lesson + (query.has("page") ? ":" + query.get("page") : ""));
  for (const name of ["lang", "terms", "theme", "view", "variant", "page", "scale", "n", "group", "input"])
    if (query.has(name)) words.push("--" + name, query.get(name));
  if (query.has("present") || labEmbedded) words.push("--present");
  let kept = {};
  try {
    kept = JSON.parse(labKept.read(labPage.home + "/.config/reduction-lab/settings.json")) || {};
  } catch (error) { /* the app says so */ }
  let language = query.get("lang") || kept.language;
  if (!query.has("theme") && !kept.theme && matchMedia("(prefers-color-scheme: dark)").matches)
    words.push("--theme", "dark");
  if (!language) {
    language = (navigator.languages || [navigator.language || "en"]).map(each => each.slice(0, 2)).find(each => labWords[each]) || "en";
    words.push("--lang", language);
  }
  document.documentElement.lang = language;
  if (labEmbedded) {
    const whole = document.getElementById("whole"), address = new URL(location.href);
    address.searchParams.delete("embed");
    whole.href = address.href;
    whole.textContent = `${labSays("whole")} ↗`;
    whole.hidden = false;
  }
  labPage.fragment = location.hash.slice(1);
  if (labPage.fragment.startsWith("m=")) words.push("#" + labPage.fragment);
  if (!GL) return labPage.fail(labSays("webgl"), "");
  if (!window.DecompressionStream) return labPage.fail(labSays("old"), "");
  if (location.protocol === "file:") return labPage.fail(labSays("file"), "");
  if (self.origin === "null") return labPage.fail(labSays("sandbox"), "");
  const progress = document.querySelector("#loading progress");
  const said = [];
  const arrived = part => part.then(value => { progress.value += 0.3; return value; });
  try {
    const [program, data, chinese] = await Promise.all([
      arrived(labFetch("program.bin").then(bytes => WebAssembly.compile(bytes))),
      arrived(labFetch("data.bin")),
      language === "zh" ? labFetch("cjk.otf") : null,
    ]);
    labPage.compiled = program;
    labPage.app = await ReductionLab({
      ...labModule(program, data),
      canvas: labPage.canvas,
      print: text => console.log(text),
      printErr: text => { said.push(text); console.warn(text); },
    });
    const FS = labPage.app.FS;
    if (chinese) FS.writeFile("/share/fonts/cjk.otf", chinese);
    FS.mkdirTree(labPage.home + "/Documents");
    labPage.restoreFiles(FS);
    labPage.resize();
    const status = labPage.app.callMain(words);
    if (status) return labPage.fail(new Error(said.join("\n") || "It did not start"), location.search ? "" : undefined);
    labPage.wake();
  } catch (error) {
    labPage.fail(error);
  }
})();
