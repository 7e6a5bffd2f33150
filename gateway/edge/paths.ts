import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { EdgeRules } from './rules.js';

/** The path of a request, without what is asked of it. */
export function pathOf({ url }: Pick<FastifyRequest, 'url'>): string {
  return url.split('?', 1)[0] ?? '';
}

interface Pattern {
  readonly form: RegExp;
  readonly methods: Set<string>;
  readonly visibleTo: EdgeRules['visibleTo'];
}

/**
 * Which methods the path of a request answers to, among all routes that are registered after this was made; none where
 * the route is not for who asks.
 */
export function collectPaths(app: FastifyInstance): (request: FastifyRequest) => string[] {
  const patterns = new Map<string, Pattern>();
  app.addHook('onRoute', ({ url, method, config }) => {
    const known = patterns.get(url) ?? {
      form: formOf(url),
      methods: new Set<string>(),
      visibleTo: config?.edge?.visibleTo,
    };
    for (const name of typeof method === 'string' ? [method] : method) known.methods.add(name);
    patterns.set(url, known);
  });
  return (request) => {
    const path = pathOf(request);
    const methods = new Set<string>();
    for (const { form, methods: own, visibleTo } of patterns.values()) {
      if (form.test(path) && visibleTo?.(request) !== false) for (const name of own) methods.add(name);
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
