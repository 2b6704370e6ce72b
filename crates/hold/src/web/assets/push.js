// Turns notifications on and off in this browser.
import { $, say } from "./dom.js";

const missing = () => {
  if (!isSecureContext) return "Notifications need https: this page came without.";
  if ("serviceWorker" in navigator && "PushManager" in window && "Notification" in window) return null;
  if (/iPhone|iPad/.test(navigator.userAgent)) return "On an iPhone or iPad, add this page to the home screen first (Share, Add to Home Screen), and open it from there.";
  return "This browser has no push notifications.";
};
const name = () => {
  const agent = navigator.userAgent, first = (known) => known.find(([, sign]) => sign.test(agent))?.[0];
  const browser = first([["Edge", /Edg/], ["Opera", /OPR/], ["Samsung Internet", /SamsungBrowser/], ["Firefox", /Firefox|FxiOS/], ["Chrome", /Chrom|CriOS/], ["Safari", /Safari/]]);
  const system = first([["Android", /Android/], ["iPhone", /iPhone/], ["iPad", /iPad/], ["ChromeOS", /CrOS/], ["Windows", /Windows/], ["macOS", /Mac OS/], ["Linux", /Linux/]]);
  return `${browser ?? "A browser"} on ${system ?? "an unknown system"}`;
};
// The server names a browser by this hash, and does not reveal its endpoint.
const id = async ({ endpoint }) => {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint));
  return [...new Uint8Array(hash).subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
};
const subscription = async () => (await navigator.serviceWorker.getRegistration("/"))?.pushManager.getSubscription();
const call = async (method, path, body) => {
  const csrf = $("#push [name=csrf]").value;
  const reply = await fetch(path, { method, headers: { "content-type": "application/json", "x-csrf-token": csrf }, body: body && JSON.stringify(body) });
  if (!reply.ok) throw new Error((await reply.json()).detail);
  return reply.status === 204 ? null : reply.json();
};

const subscribe = async (applicationServerKey) => {
  const worker = await navigator.serviceWorker.register("/sw.js");
  await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey };
  try { return await worker.pushManager.subscribe(options); } catch (error) {
    // The browser is subscribed with the key of another store.
    const old = await worker.pushManager.getSubscription();
    if (!old) throw error;
    await old.unsubscribe();
    return worker.pushManager.subscribe(options);
  }
};
const turnOn = async (here) => {
  if (await Notification.requestPermission() !== "granted") throw new Error("the browser was not allowed to show notifications");
  const { endpoint, keys } = (await subscribe(here.dataset.key)).toJSON();
  await call("POST", "/v1/push/browsers", { endpoint, keys, browser: name() });
};
const turnOff = async () => {
  const here = await subscription();
  await call("DELETE", `/v1/push/browsers/${await id(here)}`);
  await here.unsubscribe();
};

// Signing out ends notifications: the sign-out form tells the server which browser this is.
const leave = (signal) => $('form[action="/sign-out"]')?.addEventListener("submit", async (event) => {
  const form = event.currentTarget;
  if (form.elements.browser || missing() || !$('a[href="/notifications"]')) return;
  event.preventDefault();
  const field = Object.assign(document.createElement("input"), { type: "hidden", name: "browser" });
  form.append(field);
  try { const here = await subscription(); field.value = here ? await id(here) : ""; } catch { /* Signing out waits for no service worker. */ }
  form.submit();
}, { signal });

/** Shows whether notifications are on in this browser, and lets the person switch them. */
export const start = async (signal) => {
  leave(signal);
  const here = $("#push");
  if (!here) return;
  const state = $("#push-state"), on = $("#push-on"), off = $("#push-off");
  const tell = (words) => { state.textContent = words; say(words); };
  const why = missing();
  if (why) { tell(why); return; }
  const subscribed = await subscription();
  const isOn = Boolean(subscribed && here.dataset.browsers.split(" ").includes(await id(subscribed)));
  on.hidden = isOn;
  off.hidden = !isOn;
  if (Notification.permission === "denied") tell("Blocked. Allow notifications in the browser's site settings.");
  else tell(isOn ? "Notifications are on in this browser." : "Notifications are off in this browser.");
  const act = (button, turn) => button.addEventListener("click", async () => {
    button.disabled = true;
    try { await turn(here); location.reload(); } catch (error) { tell(`That did not work: ${error.message}`); button.disabled = false; }
  }, { signal });
  act(on, turnOn);
  act(off, turnOff);
};
