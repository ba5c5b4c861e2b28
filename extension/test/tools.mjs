// Tools that several tests share.

export const READ = {
  name: "read", origin: "typebox",
  schema: { type: "object", required: ["path"], properties: { path: { type: "string" }, offset: { type: "number" }, limit: { type: "number" } } },
};
