import { z } from 'zod';
import { Section, Stats } from '../../design/basics.js';
import { Head, tokensStep } from '../crumbs.js';
import { pathIn } from '../layout.js';
import { addressOf, definePage, required } from '../page.js';
import { State } from '../tones.js';
import { TrancheTable } from './overview.js';

export const estatePage = definePage({
  path: '/tokenizacao/patrimonios/:ticker',
  query: z.object({}),
  load: async ({ read, locale, params }) => {
    const { patrimony } = await read('patrimonyPage', { ticker: required(params['ticker']), locale: locale.graph });
    return required(patrimony);
  },
  view: (patrimony, { locale }) => {
    const { text } = locale;
    return {
      title: patrimony.name,
      description: text.estate.description(patrimony.name),
      path: `/tokenizacao/patrimonios/${patrimony.ticker}`,
      area: 'tokens',
      body: (
        <>
          <Head locale={locale} way={[tokensStep(locale)]} here={patrimony.ticker} title={patrimony.name}>
            <div className="row">
              <State {...patrimony} />
            </div>
          </Head>
          <Stats
            items={[
              { label: text.tokens.issued, value: locale.money(patrimony.totalIssued) },
              { label: text.tokens.trancheCount, value: locale.decimal(patrimony.trancheCount) },
              {
                label: text.tokens.assetCount,
                value: locale.decimal(patrimony.assetCount),
                note: (
                  <a href={addressOf(pathIn(locale, '/tokenizacao/ativos'), { estate: patrimony.id })}>
                    {text.tokens.assets}
                  </a>
                ),
              },
              { label: text.tokens.created, value: locale.date(patrimony.createdAt) },
            ]}
          />
          <Section id="series" title={text.tokens.series}>
            <TrancheTable rows={patrimony.tranches} locale={locale} />
          </Section>
        </>
      ),
    };
  },
});
