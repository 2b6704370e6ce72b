// Gives life to pages that work without it: live updates, keys, drafts, fields that come and go.
"use strict";
(() => {
  const $ = (query, root = document) => root.querySelector(query);
  const $$ = (query, root = document) => [...root.querySelectorAll(query)];
  const say = (words) => { const place = $("#say"); if (place) place.textContent = words; };
  const later = (wait, act) => { let timer; return (...given) => { clearTimeout(timer); timer = setTimeout(() => act(...given), wait); }; };
  const parse = (text) => new DOMParser().parseFromString(text, "text/html");
  document.documentElement.classList.add("script");

  // --- Times, kept true -----------------------------------------------------------------------------------------
  const span = (ms) => {
    const s = Math.max(0, Math.floor(ms / 1000)), and = (part, unit) => (part ? ` ${part} ${unit}` : ""), days = Math.floor(s / 86400);
    return s < 60 ? `${s} s` : s < 3600 ? `${Math.floor(s / 60)} min`
      : s < 86400 ? `${Math.floor(s / 3600)} h${and(Math.floor((s % 3600) / 60), "min")}`
      : `${days} day${days === 1 ? "" : "s"}${and(Math.floor((s % 86400) / 3600), "h")}`;
  };
  const tick = () => {
    for (const time of $$("time[data-ago], time[data-left]")) {
      const off = Date.now() - Date.parse(time.dateTime);
      const text = span("ago" in time.dataset ? off : 999 - off);
      if (time.textContent !== text) time.textContent = text;
      if (!time.dataset.local) { time.title = new Date(time.dateTime).toLocaleString(); time.dataset.local = "1"; }
    }
  };
  tick();
  setInterval(tick, 10000);

  // --- The card's form ------------------------------------------------------------------------------------------
  const form = $("#answer");
  const typing = (at) => at && (at.isContentEditable || /^(TEXTAREA|SELECT)$/.test(at.tagName) || (at.tagName === "INPUT" && !/^(radio|checkbox|button|submit)$/.test(at.type)));
  let sent = false;

  const body = (verb) => {
    const data = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (name !== "verb") data.append(name, value);
    if (verb) data.append("verb", verb);
    return data;
  };

  // The server says which fields are asked; what stays is not touched, so that nothing typed is lost.
  const adopt = (fresh) => {
    const here = $("#fields"), there = $("#fields", fresh);
    if (!here || !there) return;
    const known = new Map($$(":scope > [data-field]", here).map((node) => [node.dataset.field, node]));
    let last = null;
    for (const node of $$(":scope > [data-field]", there)) {
      let mine = known.get(node.dataset.field);
      known.delete(node.dataset.field);
      if (!mine) {
        mine = document.adoptNode(node);
        last ? last.after(mine) : here.prepend(mine);
        say(`Also asked: ${$("legend, label", mine)?.textContent.trim() ?? ""}`);
      } else if ($('[data-find="server"]', mine) || $('[data-find="server"]', node)) {
        const list = $("[data-options]", node);
        if (list) { $("[data-options]", mine).replaceChildren(...list.childNodes); $("[data-find]", mine).dataset.find = $("[data-find]", node)?.dataset.find ?? "server"; }
      }
      last = mine;
    }
    for (const gone of known.values()) gone.remove();
    enliven();
  };

  let round = 0;
  const refield = async () => {
    const mine = ++round;
    try {
      const reply = await fetch(form.action, { method: "POST", body: body("continue") });
      if (mine !== round || !reply.ok) return;
      const fresh = parse(await reply.text());
      adopt(fresh);
      document.dispatchEvent(new CustomEvent("redrawn", { detail: fresh }));
    } catch { /* Without the network the form still works when it is sent. */ }
  };
  const refieldSoon = later(120, refield);

  // What the page showed goes along, so that only what was changed here counts; once it is kept, that is what was shown.
  const keeping = async (data) => {
    const shown = $("input[name=shown]", form), before = shown?.value, held = new URLSearchParams();
    for (const [name, value] of data) if (name !== "csrf" && name !== "shown") held.append(name, value);
    if (shown) shown.value = held.toString();
    let kept = false;
    try {
      const reply = await fetch(form.dataset.draft, { method: "POST", body: data });
      kept = reply.ok;
      return reply;
    } finally { if (shown && !kept) shown.value = before; }
  };
  if (form) form.keeping = keeping;

  const keepDraft = later(1200, async () => {
    if (sent || !form.dataset.draft || form.classList.contains("blocked")) return;
    try {
      const reply = await keeping(body());
      if (reply.status === 401 || reply.status === 403) delete form.dataset.draft;
    } catch { /* Tried again with the next key. */ }
  });

  // A picture is fetched when someone asks for it, or asked for all of them on this device, and not told from where.
  const fetchPicture = (link) => {
    if ($("img", link)) return;
    const img = new Image();
    img.referrerPolicy = "no-referrer";
    img.alt = "Picture from the agent";
    img.onerror = () => { link.textContent = "The picture could not be loaded"; };
    img.src = link.href;
    link.replaceChildren(img);
  };
  const always = {
    get: () => { try { return localStorage.getItem("pictures") === "always"; } catch { return false; } },
    set: (on) => { try { on ? localStorage.setItem("pictures", "always") : localStorage.removeItem("pictures"); } catch { /* For this page only. */ } },
  };
  const pictures = () => {
    const links = $$("a[data-picture]"), fields = $("#fields");
    if (links.length && fields && !$("#pictures")) {
      const label = document.createElement("label"), box = document.createElement("input");
      box.type = "checkbox";
      box.id = "pictures";
      box.checked = always.get();
      box.addEventListener("change", () => { always.set(box.checked); if (box.checked) $$("a[data-picture]").forEach(fetchPicture); });
      label.className = "hint option slim";
      label.append(box, " Always show pictures on this device");
      fields.before(label);
    }
    if (always.get()) links.forEach(fetchPicture);
  };

  const enliven = () => {
    for (const button of $$("[data-locate]")) {
      if (!navigator.geolocation || !button.hidden) continue;
      button.hidden = false;
      button.addEventListener("click", () => {
        button.disabled = true;
        navigator.geolocation.getCurrentPosition(
          ({ coords }) => {
            const place = button.closest(".place");
            $('[data-place="lat"]', place).value = coords.latitude.toFixed(6);
            $('[data-place="lng"]', place).value = coords.longitude.toFixed(6);
            button.disabled = false;
            place.dispatchEvent(new Event("change", { bubbles: true }));
          },
          () => { button.disabled = false; say("The position could not be found."); },
          { timeout: 15000 },
        );
      });
    }
    for (const button of $$("[data-copy]")) {
      if (!navigator.clipboard || !button.hidden) continue;
      button.hidden = false;
      button.addEventListener("click", async () => { await navigator.clipboard.writeText($(`#${button.dataset.copy}`).textContent); button.textContent = "Copied"; });
    }
    pictures();
  };
  enliven();
  document.addEventListener("followed", enliven);

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-picture]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    fetchPicture(link);
  });

  if (form) {
    form.addEventListener("input", (event) => {
      const at = event.target;
      if (at.dataset.find === "here") {
        const sought = at.value.trim().toLowerCase();
        for (const option of $$(".option", at.closest(".field"))) {
          if (option.dataset.words !== undefined) option.hidden = !option.dataset.words.includes(sought) && !$(":checked", option);
        }
        return;
      }
      if (at.dataset.find === "server") return void refieldSoon();
      if ("own" in at.dataset && at.value.trim()) {
        const pick = $(`#${at.id}-pick`);
        if (pick) pick.checked = true;
      }
      if ("conditional" in form.dataset) refieldSoon();
      keepDraft();
    });
    form.addEventListener("change", (event) => {
      if (event.target.dataset.find) return;
      // Choosing an option takes back one's own words; they are kept beside it until then.
      if ("conditional" in form.dataset) refieldSoon();
      keepDraft();
    });
    form.addEventListener("submit", (event) => {
      if (event.defaultPrevented) return;
      if (form.classList.contains("blocked") || sent) { event.preventDefault(); return; }
      if (event.submitter?.value !== "continue") sent = true;
      document.dispatchEvent(new Event("leaving"));
    });
    // Back from the history of the browser: the form can be sent again.
    addEventListener("pageshow", () => { sent = false; });
  }
  const go = (address) => { document.dispatchEvent(new Event("leaving")); location.href = address; };

  const block = (words, link) => {
    const place = $("#changed");
    if (!place) return;
    form?.classList.add("blocked");
    for (const button of $$("button", form ?? place)) button.disabled = true;
    const banner = document.createElement("p");
    banner.className = "banner bad";
    banner.textContent = `${words} `;
    const look = document.createElement("a");
    look.href = link ?? location.href.split("#")[0];
    look.textContent = "Show it as it stands now";
    banner.append(look);
    place.replaceChildren(banner);
  };

  // --- What is followed, and that it cannot be ---------------------------------------------------------------------
  const LOST = 2000; // A server that only restarts is back by then.
  let losing = null;
  const lost = (words) => {
    const old = $("#lost");
    if (old?.textContent === words) return;
    old?.remove();
    if (!words) return;
    const banner = Object.assign(document.createElement("p"), { id: "lost", className: "banner bad", textContent: words });
    banner.setAttribute("role", "alert");
    $("#main").prepend(banner);
  };
  const follow = (address, heard) => {
    const source = new EventSource(address);
    source.addEventListener("changed", heard);
    source.addEventListener("open", () => { clearTimeout(losing); losing = null; lost(""); });
    source.addEventListener("error", () => {
      losing ??= setTimeout(() => lost(source.readyState === EventSource.CLOSED
        ? "This page is no longer kept up to date: you may have been signed out. Load it again."
        : "The server cannot be reached. What is shown may be old; what you typed is kept, and it is tried again."), LOST);
    });
    return source;
  };

  // --- The live list --------------------------------------------------------------------------------------------
  const list = $("#list");
  const seq = document.body.dataset.seq;
  let loading = false, again = null;
  const reload = async (seq) => {
    if (loading) { again = seq; return; }
    loading = true;
    try {
      const asked = new URLSearchParams(location.search);
      asked.set("seq", seq);
      const reply = await fetch(`/rows?${asked}`, { headers: { accept: "text/html" } });
      if (!reply.ok || reply.redirected) return;
      const there = $("#list", parse(await reply.text()));
      if (!there) return;
      const rows = () => $$("li[data-id]", list);
      const before = new Set(rows().map((row) => row.dataset.id));
      const focused = document.activeElement?.closest?.("#list li[data-id]");
      const place = focused ? rows().indexOf(focused) : -1;
      const target = () => (document.activeElement?.closest?.("#list li[data-id]") ?? rows()[0])?.dataset.id;
      const acted = target();
      list.replaceChildren(...[...there.childNodes].map((node) => document.adoptNode(node)));
      document.title = `${there.dataset.title} · Holdpoint`;
      const added = rows().filter((row) => !before.has(row.dataset.id));
      for (const row of added) row.classList.add("fresh");
      if (added.length) say(added.length === 1 ? `New decision: ${$(".title", added[0]).textContent}` : `${added.length} new decisions`);
      if (place >= 0) {
        const same = rows().find((row) => row.dataset.id === focused.dataset.id) ?? rows()[Math.min(place, rows().length - 1)];
        $("a", same ?? list)?.focus({ preventScroll: true });
      }
      if (target() !== acted) document.dispatchEvent(new Event("appeared"));
      tick();
    } catch { /* The next event tries again. */ } finally {
      loading = false;
      if (again) { const seq = again; again = null; reload(seq); }
    }
  };
  if (list && seq && window.EventSource) {
    follow(`/live?after=${encodeURIComponent(seq)}`, (event) => reload(event.data));
  }

  // A card is told once, when the decision is no longer what it shows.
  const card = $("#card[data-live]");
  if (card && window.EventSource) {
    const source = follow(card.dataset.live, (event) => { source.close(); if (!sent) block(event.data); });
  }

  // --- A run's page: what happened is put in its place; what is read or typed stays --------------------------------
  const run = $("#run[data-live]");
  if (run && window.EventSource) {
    let stale = false;
    const renew = later(100, async () => {
      try {
        // A patch set that is being read stays whole: what is said about it is asked for by its number.
        const shown = $('[data-part="diff"]', run)?.dataset.page ?? location.href.split("#")[0];
        const reply = await fetch(shown, { headers: { accept: "text/html" } });
        if (!reply.ok || reply.redirected) return;
        const fresh = parse(await reply.text());
        stale = false;
        let told = false;
        for (const here of $$("[data-part]")) {
          const there = $(`[data-part="${here.dataset.part}"]`, fresh);
          if (!there || "keep" in here.dataset || here.innerHTML === there.innerHTML) continue;
          if (here.contains(document.activeElement)) { stale = true; continue; }
          here.replaceWith(document.adoptNode(there));
          told = true;
        }
        if (told) { tick(); say("The run has changed."); }
      } catch { /* The next event tries again. */ }
    });
    document.addEventListener("focusout", () => { if (stale) renew(); });
    follow(run.dataset.live, renew);
  }

  // What is typed about a line goes along with a retry, and what is typed beside the retry as well.
  document.addEventListener("submit", (event) => {
    const from = event.target, to = event.submitter?.getAttribute("formaction") ?? from.action;
    if (event.defaultPrevented || !/\/runs\/[^/]+\/retry$/.test(to)) return;
    const box = $("#remark"), other = from.id === "retry" ? box?.form : $("#retry");
    if (!other || (from.id === "retry" && !box.value.trim())) return;
    for (const old of $$("[data-along]", from)) old.remove();
    for (const [name, value] of new FormData(other)) {
      if (from.elements[name]) continue;
      const along = Object.assign(document.createElement("input"), { type: "hidden", name, value });
      along.dataset.along = "";
      from.append(along);
    }
  });

  // --- A job's page: refreshed every second, while someone looks -----------------------------------------------------
  const job = $("#job[data-refresh]");
  if (job) setInterval(async () => {
    const chosen = getSelection();
    if (document.hidden || job.contains(document.activeElement) || (chosen && !chosen.isCollapsed && job.contains(chosen.anchorNode))) return;
    try {
      const reply = await fetch(job.dataset.refresh, { headers: { accept: "text/html" } });
      const there = reply.ok && !reply.redirected && $("#job", parse(await reply.text()));
      if (there && there.innerHTML !== job.innerHTML) { job.replaceChildren(...[...there.childNodes].map((node) => document.adoptNode(node))); tick(); }
    } catch { /* The next second tries again. */ }
  }, 1000);

  // --- Keys -----------------------------------------------------------------------------------------------------
  const help = $("#help"), keys = $("#keys");
  if (keys && help) { keys.hidden = false; keys.addEventListener("click", () => help.showModal()); }

  const pick = (number) => {
    const control = $(`[data-number="${number}"]`);
    if (!control || control.disabled || control.closest("[hidden]")) return false;
    if (control.getAttribute("aria-disabled") === "true") { document.dispatchEvent(new Event("unread")); return true; }
    control.focus();
    // A button is only made ready: Enter sends it.
    if (control.type === "radio" || control.type === "checkbox") control.click();
    return true;
  };
  const open = (details) => { if (details) details.open = true; };

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || event.repeat || help?.open) return;
    const at = document.activeElement;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && at?.form === form && form) {
      event.preventDefault();
      const button = at.id === "guidance" ? $("[data-guide]") : $("[data-send]");
      if (button && !button.disabled) button.click();
      return;
    }
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && at?.tagName === "TEXTAREA") {
      const button = at.form && $("[data-send-here]", at.form);
      if (button && !button.disabled) { event.preventDefault(); button.click(); }
      return;
    }
    if (event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape" && typing(at)) { at.blur(); return; }
    if (typing(at)) return;
    const rows = $$(".rows .row");
    const here = rows.indexOf(at);
    const move = (to) => { const row = rows[Math.max(0, Math.min(rows.length - 1, to))]; row?.focus(); row?.scrollIntoView({ block: "nearest" }); };
    switch (event.key) {
      case "j": case "k": {
        const beside = $(event.key === "j" ? "[data-next]" : "[data-previous]");
        if (rows.length) move(event.key === "j" ? here + 1 : here < 0 ? 0 : here - 1);
        else if (beside) go(beside.href);
        break;
      }
      case "/": { const search = $("[data-find]") ?? $("#search"); if (!search) go("/"); search?.focus(); break; }
      case "?": help?.showModal(); break;
      case "u": { const back = $("[data-back]"); if (back) go(back.href); break; }
      case "g": { const box = $("#guidance"); if (!box) return; open($("#guide")); box.focus(); break; }
      case "m": { const box = $("#message"); if (!box) return; box.focus(); break; }
      case "Enter": {
        if (!form || (at && /^(BUTTON|A|SUMMARY)$/.test(at.tagName))) return;
        const send = $("[data-send]");
        if (!send || send.disabled) return;
        send.click();
        break;
      }
      default: {
        if (!/^[1-9]$/.test(event.key)) return;
        if (form) { if (!pick(event.key)) return; break; }
        const row = rows[here] ?? (rows.length ? rows[0] : null);
        if (!row || !list) return;
        // What consents to a subject that is not whole in the row is picked where the subject is read.
        const may = row.dataset.picks?.split(" ").includes(event.key) ?? true;
        go(may ? `${row.href}#pick=${event.key}` : row.href);
      }
    }
    event.preventDefault();
  });

  // What one most likely does first is at hand; the page stays where the subject begins.
  if (!$("[autofocus]")) $("[data-focus]")?.focus({ preventScroll: true });
  // From the list straight to an option: it is picked, and Enter sends it.
  const wanted = /^#pick=([1-9])$/.exec(location.hash);
  if (wanted && form) { pick(wanted[1]); history.replaceState(null, "", location.pathname + location.search); }
  // A run of decisions: after one is sent the next is at hand.
  if (list && new URLSearchParams(location.search).has("done")) $(".row", list)?.focus({ preventScroll: true });
})();
