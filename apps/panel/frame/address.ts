import { useParams, useSearch } from '@tanstack/react-router';

/** A part of the path by its name in the route: `id` of `/webhooks/$id`. */
export function usePathPart(name: string): string {
  const parts: Readonly<Record<string, unknown>> = useParams({ strict: false });
  return String(parts[name]);
}

/** A parameter of the address, as the route has checked it; undefined where there is none. */
export function useParameter(name: string): unknown {
  const parameters: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  return parameters[name];
}
