import { readMailbox } from '../../shared/work/mail/mail.js';
import type { Platform } from '../../bootstrap/platform.js';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body; undefined when there is none. */
  readonly body: unknown;
}

export const password = 'ponte-velha-1965';

/** A user of a running house, who knows it by its address only. Mail is read as the development mailbox shows it. */
export type Caller = ReturnType<typeof callerOf>;

export function callerOf(platform: Platform) {
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${platform.url}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
    };
  };
  const post = (path: string, body?: unknown, headers?: Record<string, string>) => send('POST', path, body, headers);
  const mailbox = (to: string) => readMailbox(platform.infrastructure.context, platform.infrastructure.keyRing, to);
  const tokenFor = async (to: string) => {
    const link = (await mailbox(to)).flatMap((mail) => mail.links)[0];
    if (link === undefined) throw new Error(`No link was mailed to ${to}`);
    return new URL(link).searchParams.get('token') ?? '';
  };
  return {
    send,
    post,
    graphql: (query: string, variables?: Record<string, unknown>, headers?: Record<string, string>) =>
      post('/graphql', { query, variables }, headers),
    mailbox,
    tokenFor,
    /** Registers and confirms; answers the session's token as a header. */
    member: async (email: string) => {
      await post('/v1/emissoes/auth/register', { name: 'Ana Souza', email, password, company: 'Casa' });
      const { body } = await post('/v1/emissoes/auth/verify-email', { token: await tokenFor(email) });
      return { authorization: `Bearer ${(body as { accessToken: string }).accessToken}` };
    },
  };
}
