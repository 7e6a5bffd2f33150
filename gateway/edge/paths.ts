import type { FastifyInstance } from 'fastify';

/** Which methods a path answers to, among all routes that are registered after this was made. */
export function collectPaths(app: FastifyInstance): (path: string) => string[] {
  const patterns = new Map<string, { readonly form: RegExp; readonly methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = patterns.get(url) ?? { form: formOf(url), methods: new Set<string>() };
    for (const name of typeof method === 'string' ? [method] : method) known.methods.add(name);
    patterns.set(url, known);
  });
  return (path) => {
    const methods = new Set<string>();
    for (const { form, methods: own } of patterns.values()) {
      if (form.test(path)) for (const name of own) methods.add(name);
    }
    return [...methods].sort();
  };
}

/** The shape of the addresses that a route pattern (`/a/:b`, `/a/*`) matches. */
function formOf(pattern: string): RegExp {
  const parts = pattern.split(/(:\w+|\*)/).map((part) => {
    if (part === '*') return '.*';
    return part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`);
}
