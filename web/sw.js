// Keeps the page for when there is no network: all its files, of one version. web/pack.py fills in both.
"use strict";

const version = "VERSION", files = FILES;
const ours = `reduction-lab ${registration.scope} `;  // other copies may lie elsewhere on the same host
const patience = 3000;                                // milliseconds that a slow network has for the first file

addEventListener("install", event => event.waitUntil(
  caches.open(ours + version).then(kept => kept.addAll(files))));
addEventListener("activate", event => event.waitUntil(caches.keys().then(names => Promise.all(
  names.filter(name => name.startsWith(ours) && name !== ours + version).map(name => caches.delete(name))))));

// The newest page where there is a network; its parts have the version in their names.
addEventListener("fetch", event => {
  const address = new URL(event.request.url);
  if (event.request.method !== "GET" || !address.href.startsWith(registration.scope)) return;
  const kept = name => caches.open(ours + version).then(cache => cache.match(name, {ignoreSearch: true}));
  if (event.request.mode !== "navigate")
    return event.respondWith(kept(event.request).then(found => found || fetch(event.request)));
  const late = new Promise((_, give_up) => setTimeout(give_up, patience));
  const network = fetch(event.request);
  event.respondWith(Promise.race([network, late]).catch(() => kept("index.html").then(found => found || network)));
});
