import type { FastifyInstance } from 'fastify';

const choices = { system: 'light dark', light: 'light', dark: 'dark' } as const;
type Theme = keyof typeof choices;

/** The style sheet that differs between readers. It is apart, since the pages are the same for everyone and kept by caches. */
export const themePath = '/theme.css';
const edge = { credential: 'none', bucket: 'unmetered' } as const;
const secondsOfYear = 31_536_000;

/** Serves the colours that a reader and the house have chosen, and the links by which a reader chooses. They work without a script, and the page never flashes. */
export function serveTheme(app: FastifyInstance, colour: string | undefined): void {
  app.get(themePath, { config: { edge } }, ({ headers }, reply) => {
    const [, chosen = 'system'] = /(?:^|; )theme=(light|dark)(?:;|$)/.exec(headers.cookie ?? '') ?? [];
    reply.header('cache-control', 'private, no-cache').header('vary', 'Cookie').type('text/css; charset=utf-8');
    return reply.send(
      `:root{color-scheme:${choices[chosen as Theme]}}` +
        `.theme a[href$="/${chosen}"]{background:var(--accent-soft);color:var(--accent)}` +
        (colour === undefined ? '' : houseColour(colour)),
    );
  });
  for (const theme of Object.keys(choices)) {
    app.get(`/theme/${theme}`, { config: { edge } }, ({ headers: { referer = '' }, host }, reply) => {
      const isOwn = /^https?:\/\/([^/]+)/.exec(referer)?.[1] === host;
      return reply
        .header('cache-control', 'no-store')
        .header('set-cookie', `theme=${theme}; Path=/; Max-Age=${secondsOfYear}; SameSite=Lax`)
        .redirect(isOwn ? referer : '/', 303);
    });
  }
}

/** On a dark page the colour is lighter, so that it can be read there as well. */
function houseColour(colour: string): string {
  const soft = `light-dark(color-mix(in srgb,${colour} 9%,#fff),color-mix(in srgb,${colour} 28%,#0b0f17))`;
  return `:root{--accent:light-dark(${colour},color-mix(in srgb,${colour} 40%,#fff));--accent-soft:${soft}}`;
}
