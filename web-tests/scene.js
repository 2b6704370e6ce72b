// The decisions shown in the screenshots and used to check every page: one of each kind.
const inMinutes = (minutes) => new Date(Date.now() + minutes * 60000).toISOString();
const quote = (amount, valid_until = inMinutes(90)) => ({ type: "Quote", quote_id: "q-1", payee_id: "shop", payment_plans: [{ plan_id: "p", plan_type: "one-time", amount, currency: "USD" }], valid_until });

export const decisions = {
  choice: {
    title: "Which cache should the API use?", requested_by: "agent-7", owner: "item:bd-abc123", project: "shop",
    prompt: "The product page reads the same **40 rows** 300 times a second.\n\n- Redis is already running for sessions.\n- An in-process LRU needs no network, but each node warms up alone.\n\nI measured both: see [the notes](https://docs.example.org/cache).",
    fields: [{ id: "choice", kind: "choice", label: "Which cache?", custom: true, options: [
      { id: "redis", label: "Use Redis", description: "One more `GET` per request (0.4 ms)." },
      { id: "memory", label: "In-memory LRU", recommended: true, description: "256 MiB per node, warm in two minutes." },
      { id: "none", label: "No cache; add an index instead" }] }],
    outs: [{ id: "cancel", label: "Cancel the task" }, { id: "dismiss", label: "Not now" }],
    timeout: "2h",
  },
  approval: {
    source: "approval", title: "Run a database migration on production", requested_by: "agent-3", owner: "job:release-42", project: "shop", priority: "urgent",
    prompt: "Adds a nullable column and a partial index. The table has 41 million rows; on staging it took 38 seconds without a lock.",
    subject: { tool: "bash", command: "psql $PRODUCTION -f migrations/0042_orders_region.sql", cwd: "/srv/shop" },
    fields: [{ id: "answer", kind: "confirm", label: "Allow it?", options: [{ id: "approve", label: "Allow once", effect: "approve" }, { id: "deny", label: "Deny", effect: "deny" }] }],
    timeout: "25m", on_timeout: "deny",
  },
  plan: {
    source: "plan", title: "Move sessions out of the monolith", requested_by: "planner", owner: "job:sessions", project: "platform", priority: "high",
    prompt: "1. Add a `sessions` service with the same interface\n2. Write to both, read from the old one\n3. Compare for a day\n4. Switch reads, then stop the old writes",
    subject: "1. Add a sessions service\n2. Dual writes\n3. Compare\n4. Switch reads\n",
    fields: [{ id: "plan", kind: "confirm", label: "Go on with this plan?", options: [
      { id: "accept_auto", label: "Accept", effect: "accept_auto", recommended: true },
      { id: "accept_manual", label: "Accept, ask before edits", effect: "accept_manual" },
      { id: "revise", label: "Revise", effect: "revise" }] }],
  },
  gate: {
    source: "gate", title: "`make test` failed on job/api-limits", requested_by: "agent-9", owner: "job:api-limits", project: "platform",
    prompt: "```\nFAIL api/limits_test.go:88: want 429, got 200\n1 of 212 tests failed in 41 s\n```",
    fields: [{ id: "choice", kind: "choice", label: "What now?", options: [{ id: "retry", label: "Retry", recommended: true }, { id: "skip", label: "Skip the gate" }] }],
    outs: [{ id: "cancel", label: "Cancel the job" }],
  },
  choices: {
    title: "Which regions get the release first?", requested_by: "release-bot", owner: "crew:release", project: "shop",
    fields: [{ id: "regions", kind: "choices", label: "Regions", min: 1, max: 3, options: [{ id: "eu", label: "Europe", recommended: true }, { id: "us", label: "United States" }, { id: "ap", label: "Asia Pacific" }, { id: "sa", label: "South America" }] }],
  },
  form: {
    source: "form", title: "Time off", requested_by: "hr-assistant", owner: "chat:42", project: "office",
    fields: [
      { id: "type", kind: "choice", label: "What kind of leave?", options: [{ id: "annual", label: "Annual leave" }, { id: "sick", label: "Sick leave" }] },
      { id: "certificate", kind: "boolean", label: "Is there a certificate?", visible_if: { field: "type", op: "EQUALS", value: "sick" } },
      { id: "issuer", kind: "text", label: "Who issued it?", visible_if: { field: "certificate", op: "EQUALS", value: true } },
      { id: "from", kind: "date", label: "First day" },
      { id: "mail", kind: "email", label: "E-mail for the confirmation" },
      { id: "notes", kind: "multiline", label: "Anything else?", required: false },
    ],
  },
  products: {
    source: "request", title: "Headphones for the call centre", requested_by: "shopping-agent", owner: "thread:t-9", project: "office",
    fields: [{ id: "products", kind: "products", label: "Which, and how many?", options: [
      { id: "studio", label: "Studio One", rating: 4.6, reviews_count: 1284, image_url: "https://pictures.example.org/studio.jpg", url: "https://shop.example.org/studio", description: "Closed, wired, replaceable cable.", quote: quote(129), variants: [{ id: "studio-black", label: "Black", quote: quote(129) }, { id: "studio-white", label: "White", quote: quote(139) }] },
      { id: "quiet", label: "Quiet Two", rating: 4.1, reviews_count: 312, recommended: true, description: "Wireless, noise cancelling, 30 h.", quote: quote(249.5) },
      { id: "old", label: "Old Faithful", rating: 3.4, reviews_count: 12, quote: quote(59, "2026-01-01T00:00:00Z") }] }],
    outs: [{ id: "cancel", label: "Buy nothing" }],
  },
  everything: {
    source: "form", title: "One of each", requested_by: "tester",
    fields: [
      { id: "text", kind: "text", label: "A text" }, { id: "multiline", kind: "multiline", label: "Several lines" },
      { id: "email", kind: "email", label: "An address" }, { id: "tel", kind: "tel", label: "A telephone number" },
      { id: "url", kind: "url", label: "A web address" }, { id: "number", kind: "number", label: "A number", min: 0, max: 10 },
      { id: "integer", kind: "integer", label: "A whole number" }, { id: "boolean", kind: "boolean", label: "Yes or no?" },
      { id: "date", kind: "date", label: "A day" }, { id: "time", kind: "time", label: "A time" },
      { id: "datetime", kind: "datetime", label: "A day and a time" }, { id: "location", kind: "location", label: "A place" },
    ],
  },
  rtl: {
    title: "أي خادم نستخدم؟", requested_by: "وكيل-٣", prompt: "الخادم الأول أسرع، والثاني أرخص. יש גם אפשרות שלישית.",
    fields: [{ id: "choice", kind: "choice", label: "الخادم", options: [{ id: "fast", label: "الأسرع" }, { id: "cheap", label: "الأرخص", recommended: true }] }],
  },
  many: {
    title: "Which customer is this invoice for?", requested_by: "billing",
    fields: [{ id: "customer", kind: "choice", label: "Customer", options: Array.from({ length: 10000 }, (_, i) => ({ id: `c${i}`, label: `Customer ${i}` })) }],
  },
};
