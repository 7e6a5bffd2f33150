import { cookieName } from '../../gateway/edge/browser-cookie.js';
import type { Route } from '../route.js';

const credentials = {
  none: '',
  session: 'Authorization: Bearer $ACCESS_TOKEN',
  apiKey: 'X-API-Key: $API_KEY',
  developerKey: 'X-API-Key: $DEVELOPER_KEY',
  trader: 'Authorization: Bearer $TRADING_TOKEN',
} as const;

/** Returns the path and query of a route's example. */
export function exampleTarget({ path, example }: Route): string {
  const filled = path.replace(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(example.path?.[name] ?? name));
  const query = new URLSearchParams(example.query).toString();
  return query === '' ? filled : `${filled}?${query}`;
}

/** Returns the command that uses the signing shell client of `examples/`. */
function signedCommand(route: Route): string {
  const { method, example } = route;
  const client = `sh examples/signed-client/client.sh ${method} '${exampleTarget(route)}'`;
  return example.body === undefined ? client : `printf '%s' ${quoted(example.body)} |\n  ${client} -`;
}

function quoted(body: object): string {
  return `'${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`;
}

/** Returns a route's example as a shell command. */
export function curlOf(route: Route): string {
  const { method, example, credential, byProgram } = route;
  if (credential === 'signature') return signedCommand(route);
  const lines = [`curl "$LASTRO_URL${exampleTarget(route)}"`];
  if (method !== 'GET') lines.push(`-X ${method}`);
  if (byProgram !== undefined) lines.push(`-H "Cookie: ${cookieName}=$COOKIE"`, '-H "Origin: $LASTRO_URL"');
  else if (credentials[credential] !== '') lines.push(`-H "${credentials[credential]}"`);
  if (example.body !== undefined) {
    lines.push(`-H 'Content-Type: application/json'`, `-d ${quoted(example.body)}`);
  }
  return lines.join(' \\\n  ');
}
