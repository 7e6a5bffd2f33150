/** Replaces each connection of which a document selects only the nodes by them, so that a test compares lists. */
export function flat(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(flat);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) === Date.prototype) return value;
  const entries = Object.entries(value);
  const [[name, nodes] = [], ...others] = entries;
  if (name === 'nodes' && others.length === 0) return flat(nodes);
  return Object.fromEntries(entries.map(([key, inner]) => [key, flat(inner)]));
}
