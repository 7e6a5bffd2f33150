import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../shared/kernel/errors.js';
import type { EdgeRules } from './route-policy.js';

/** Returns the path of a request without its query. */
export function pathOf({ url }: Pick<FastifyRequest, 'url'>): string {
  return url.split('?', 1)[0] ?? '';
}

interface Pattern {
  /** The pattern as it was registered: `/a/:b`. */
  readonly url: string;
  readonly form: RegExp;
  readonly methods: Set<string>;
  readonly visibleTo: EdgeRules['visibleTo'];
}

/** Methods of an existing path. */
export interface PathMethods {
  /** In order; empty where the path does not exist, or is hidden from the caller. */
  readonly methods: readonly string[];
  /** Paths below it by which it is changed, such as `POST /a/{b}/submit`. */
  readonly acts: readonly string[];
}

/** Returns the function that finds the methods of a request's path, among all routes that are registered from now on. */
export function collectPaths(app: FastifyInstance): (request: FastifyRequest) => PathMethods {
  const patterns = new Map<string, Pattern>();
  app.addHook('onRoute', ({ url, method, config }) => {
    const known = patterns.get(url) ?? {
      url,
      form: formOf(url),
      methods: new Set<string>(),
      visibleTo: config?.edge?.visibleTo,
    };
    for (const name of typeof method === 'string' ? [method] : method) known.methods.add(name);
    patterns.set(url, known);
  });
  return (request) => {
    const path = pathOf(request);
    const visible = [...patterns.values()].filter(({ visibleTo }) => visibleTo?.(request) !== false);
    const found = visible.filter(({ form }) => form.test(path));
    const acts = visible.filter(
      ({ url, methods }) => methods.has('POST') && found.some((one) => isActOf(url, one.url)),
    );
    return {
      methods: [...new Set(found.flatMap(({ methods }) => [...methods]))].sort(),
      acts: acts.map(({ url }) => `POST ${url.replace(/:(\w+)/g, '{$1}')}`).sort(),
    };
  };
}

/** Returns the error for a method that a path does not have. For PATCH and PUT it names the paths that change the resource. */
export function methodRefused(method: string, { methods, acts }: PathMethods): ApiError {
  if (method !== 'PATCH' && method !== 'PUT') return new ApiError('METHOD_NOT_ALLOWED');
  const way = acts.length === 0 ? '' : `: its resource is changed by ${acts.join(', ')}`;
  const message = `${method} is not a method of this path, which has ${methods.join(', ')}${way}`;
  return new ApiError('METHOD_NOT_ALLOWED', { message });
}

/** Whether a path is another one followed by a word: `/a/:b/submit` for `/a/:b`. */
function isActOf(url: string, resource: string): boolean {
  return resource.includes(':') && url.startsWith(`${resource}/`) && /^[a-z-]+$/.test(url.slice(resource.length + 1));
}

/** Returns the regular expression for the addresses that a route pattern (`/a/:b`, `/a/*`) matches. */
function formOf(pattern: string): RegExp {
  const parts = pattern.split(/(:\w+|\*)/).map((part) => {
    if (part === '*') return '.*';
    return part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`);
}
