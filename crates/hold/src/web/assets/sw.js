// The service worker: shows notifications, sends answers given on them, and opens the card for everything else.
const ICON = "/icons/192.png";

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("push", (event) => event.waitUntil(receive(event.data)));
addEventListener("notificationclick", (event) => event.waitUntil(click(event.notification, event.action)));
addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));

async function receive(data) {
  let push = null;
  try { push = data.json(); } catch { /* Only who has the keys of this browser can send something else. */ }
  if (push?.kind === "close") await close(push);
  else if (push?.kind === "update") await update(push);
  else await show(push ?? { id: "inbox", title: "Holdpoint", body: "New decision", url: "/", buttons: [] });
  await badge();
}

async function show(push) {
  const most = Notification.maxActions ?? 0, tag = push.id;
  // If only some of the answers fit, none is shown, so that the others are not hidden.
  const fit = push.buttons.length <= most ? push.buttons : [];
  const actions = fit.map(({ label }, at) => ({ action: String(at), title: label }));
  if (actions.length && actions.length < most) actions.push({ action: "open", title: "Open" });
  // A delivery may be repeated, but makes a sound only once.
  const shown = await registration.getNotifications({ tag });
  const known = shown.some(({ data }) => data?.digest && data.digest === push.digest);
  await registration.showNotification(push.title, {
    tag, actions, icon: ICON, body: push.body, silent: Boolean(push.silent), renotify: !known && !push.silent,
    requireInteraction: Boolean(push.stays),
    data: { id: push.id, digest: push.digest, url: push.url, acts: fit.map(({ act }) => act) },
  });
}

/** Updates a notification that is on the screen. One that was dismissed stays dismissed. */
async function update(push) {
  const shown = await registration.getNotifications({ tag: push.id });
  if (shown.length || await mustShow()) await show(push);
}

/** Apple ends the subscription of a browser that receives a push and shows nothing. */
async function mustShow() {
  const here = await registration.pushManager.getSubscription().catch(() => null);
  return Boolean(here) && new URL(here.endpoint).hostname.endsWith(".push.apple.com");
}

async function close(push) {
  const shown = await registration.getNotifications({ tag: push.id });
  for (const notification of shown) notification.close();
  if (await mustShow()) {
    await registration.showNotification(push.title, { tag: push.id, icon: ICON, silent: true, data: { url: `/d/${push.id}` } });
  }
}

async function click(notification, action) {
  const { id, digest, url, acts = [] } = notification.data ?? {};
  notification.close();
  const act = /^\d+$/.test(action) ? acts[Number(action)] : null;
  if (!act) return open(url ?? "/");
  const failed = await answer({ decision: id, digest, act });
  if (failed) await registration.showNotification("Not answered", { tag: id, body: failed, icon: ICON, data: { url } });
  return badge();
}

/** Sends an answer under this browser's session; returns the error, if any. */
async function answer(pressed) {
  try {
    const here = await session();
    if (!here) return "You are signed out here. Open the card to sign in and answer.";
    const reply = await send("/v1/push/answers", here.csrf, pressed);
    return reply.ok ? null : `${(await reply.json()).detail}. Open the card to see where it stands.`;
  } catch {
    return "No reply from the server. Open the card to check.";
  }
}

async function open(url) {
  const to = new URL(url, location.origin);
  if (to.origin !== location.origin) return null;
  const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find((one) => new URL(one.url).pathname === to.pathname);
  return there ? there.focus() : clients.openWindow(to.href);
}

/** Shows the number of pending decisions on the icon. */
async function badge() {
  if (!navigator.setAppBadge) return;
  const here = await session().catch(() => null);
  if (here) await (here.waiting ? navigator.setAppBadge(here.waiting) : navigator.clearAppBadge()).catch(() => null);
}

// The push service has assigned a new endpoint to the browser.
async function renew(event) {
  const key = event.oldSubscription?.options.applicationServerKey;
  const next = event.newSubscription ?? (key && await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  const here = next && await session();
  if (!here) return;
  const { endpoint, keys } = next.toJSON();
  await send("/v1/push/browsers", here.csrf, { endpoint, keys, browser: "A browser, with a new address" });
}

/** Returns the session of this browser: its form token, and how many decisions are pending; null if signed out. */
async function session() {
  const reply = await fetch("/push/session", { redirect: "manual", headers: { accept: "application/json" } });
  return reply.ok ? reply.json() : null;
}

const send = (path, csrf, body) => fetch(path, { method: "POST", headers: { "content-type": "application/json", "x-csrf-token": csrf }, body: JSON.stringify(body) });
