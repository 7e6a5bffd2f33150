import { Section } from '../../design/basics.js';
import { pathIn } from '../layout.js';
import type { Locale } from '../locale.js';
import type { Site } from '../page.js';

/** Where each kind of reader begins, and what it may need next. */
const ways = [
  { kind: 'investors', links: ['/emissoes', '/tokenizacao'] },
  { kind: 'developers', links: ['/painel/cadastro', '/docs'] },
  { kind: 'originators', links: ['/painel/originador/lotes', '/docs/guides/credit-assignment'] },
  { kind: 'traders', links: ['/painel/negociacao/mercados', '/docs/guides/trading'] },
  { kind: 'agents', links: ['/docs/rest/tags/agents'] },
  { kind: 'operators', links: ['/painel/operacao/originadores'] },
] as const;

/** The way in for each kind of reader. */
export function Ways({ locale, site }: { readonly locale: Locale; readonly site: Site }) {
  const { home: text } = locale.text;
  return (
    <Section id="ways" title={text.ways}>
      <div className="columns">
        {ways.map(({ kind, links }) => (
          <div key={kind} className="way">
            <h3>{text.readers[kind].title}</h3>
            <p>{text.readers[kind].about}</p>
            <ul className="links">
              {links
                .filter((path) => site.operations || path !== '/emissoes')
                .map((path) => (
                  <li key={path}>
                    <a href={pathIn(locale, path)}>{text.places[path]}</a>
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </div>
    </Section>
  );
}
