/** Forms from schemas and answers back into them; a schema here is whatever follows the standard. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { fieldsOf, into, Refused, Unfit } from "../dist/index.js";
import { all, Server } from "./server.mjs";

let server, client;
before(async () => {
  server = await Server.start();
  client = server.client();
});
after(() => server.close());

/** A schema with these properties that accepts what `refuses` says nothing against. */
function schema(properties, required = Object.keys(properties), refuses = () => null) {
  const validate = (value) => {
    const message = refuses(value);
    return message === null ? { value } : { issues: [{ message, path: ["count"] }] };
  };
  const jsonSchema = { input: () => ({ type: "object", properties, required }) };
  return { "~standard": { version: 1, vendor: "test", validate, jsonSchema } };
}

const ORDER = schema(
  {
    name: { type: "string", minLength: 2, maxLength: 20, description: "As on the invoice" },
    notes: { type: "string", title: "Anything else?", kind: "multiline" },
    count: { type: "integer", exclusiveMinimum: 0, exclusiveMaximum: 10, default: 3 },
    ratio: { type: "number", minimum: 0.5, maximum: Number.MAX_SAFE_INTEGER },
    giftWrap: { type: "boolean" },
    size: { type: "number", enum: [1, 2], default: 2 },
    cache: { anyOf: [{ type: "string", const: "redis" }, { type: "string", const: "memory" }] },
    extras: { type: "array", minItems: 1, items: { type: "string", enum: ["ribbon", "card"] } },
    needed_by: { type: "string", format: "date" },
    mail: { anyOf: [{ type: "string", format: "email" }, { type: "null" }] },
  },
  ["name", "ratio", "giftWrap", "cache", "extras", "needed_by", "mail"],
);

test("a form and back", async () => {
  const asked = client.ask("What shall it be?", { result: ORDER });
  await server.parked();
  const [made] = await all(client.list());
  const kinds = ["text", "multiline", "integer", "number", "boolean", "choice", "choice", "choices", "date", "email"];
  assert.deepEqual(made.fields.map(({ kind }) => kind), kinds);
  const required = made.fields.filter(({ required = true }) => required).map(({ id }) => id);
  assert.deepEqual(required, ["name", "ratio", "giftWrap", "cache", "extras", "needed_by"]);
  const [name, notes, count, ratio, gift, size] = made.fields;
  assert.deepEqual([name.min, name.max, name.description, notes.label], [2, 20, "As on the invoice", "Anything else?"]);
  assert.deepEqual([count.min, count.max, count.default, ratio.max, gift.label, size.default], [1, 9, 3, undefined, "Gift wrap", "2"]);
  const values = { name: "Ana", ratio: 1, giftWrap: true, size: "2", cache: "redis", extras: ["card"], needed_by: "2026-12-24" };
  await client.answer(made, { values });
  assert.deepEqual(await asked, { ...values, size: 2, mail: null });
});

test("what the schema itself refuses", async () => {
  const odd = schema({ count: { type: "integer" } }, ["count"], ({ count }) => (count % 2 ? null : "must be odd"));
  const made = await client.create({ prompt: "?", fields: fieldsOf(odd) });
  const done = await client.answer(made, { values: { count: 2 } });
  await assert.rejects(into(done, odd), (why) => why instanceof Unfit && /count: must be odd/.test(why.message));
});

test("a no is no value", async () => {
  const made = await client.create({ prompt: "?", fields: fieldsOf(ORDER), outs: ["never"] }, { key: "never" });
  await client.answer(made, { out: "never" });
  await assert.rejects(client.ask({ prompt: "?", outs: ["never"] }, { result: ORDER, key: "never" }), Refused);
});

test("exclusive bounds are the form's own", async () => {
  const fields = fieldsOf(schema({
    gross: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 100, description: "With tax." },
    net: { type: "number", exclusiveMinimum: 0 },
    rate: { type: "number", minimum: 0 },
  }));
  const bounds = fields.map(({ min, exclusive_min, max, exclusive_max }) => [min, exclusive_min, max, exclusive_max]);
  assert.deepEqual(bounds, [[0, true, 100, true], [0, true, undefined, undefined], [0, undefined, undefined, undefined]]);
  assert.equal(fields[0].description, "With tax.");
  const made = await client.create({ prompt: "?", fields });
  await assert.rejects(client.answer(made, { values: { gross: 100, net: 1, rate: 0 } }), /100 is not more than 0 and less than 100/);
  await client.answer(made, { values: { gross: 99.5, net: 0.01, rate: 0 } });
});

test("limits that a form does not know are described", () => {
  const described = fieldsOf(schema({
    code: { type: "string", pattern: "^[A-Z]{3}-\\d+$", description: "As on the box." },
    pack: { type: "integer", multipleOf: 6 },
    length: { type: "number", exclusiveMinimum: 0, multipleOf: 0.5 },
    mail: { type: "string", format: "email", pattern: "^.+@.+$" },
    free: { type: "string" },
  })).map(({ description }) => description);
  const code = "As on the box. Must match the pattern ^[A-Z]{3}-\\d+$";
  assert.deepEqual(described, [code, "Must be a multiple of 6.", "Must be a multiple of 0.5.", undefined, undefined]);
});

test("what a form cannot carry", async () => {
  for (const node of [{}, { type: "object" }, { type: "array", items: { type: "string" } }, { type: "string", kind: "colour" }]) {
    assert.throws(() => fieldsOf(schema({ what: node })), /^TypeError: what: /);
  }
  for (const values of [["1", 1], [true], [null]]) assert.throws(() => fieldsOf(schema({ what: { enum: values } })), /^TypeError: what: /);
  assert.throws(() => fieldsOf(schema({})), /nothing to ask/);
  assert.throws(() => fieldsOf({ "~standard": {} }), /zod 4.2/);
  await assert.rejects(client.ask({ prompt: "?", options: ["a"] }, { result: ORDER }), /leave out options/);
});
