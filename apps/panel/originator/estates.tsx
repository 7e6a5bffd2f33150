import { Facts, Section } from '../../design/basics.js';
import { date, moment, money, percent, plural } from '../frame/language.js';
import { Limits } from '../frame/limits.js';
import { Loaded, PageHead } from '../frame/parts.js';
import { useQuery } from '../frame/use-graph.js';
import { Estate } from './batch-parts.js';
import { graph, type Operations } from './graph/operations.js';
import { originatorTexts } from '../texts.js';

type Permit = Operations['originators']['data']['myOriginators'][number]['permits'][number];

export function Estates() {
  const { estates: text } = originatorTexts.get();
  const query = useQuery(graph, 'originators', {});
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <Loaded query={query}>
        {({ myOriginators }) => {
          const permits = myOriginators.flatMap((one) => one.permits.map((permit) => ({ ...permit, of: one.id })));
          if (permits.length === 0) return <p className="empty">{text.empty}</p>;
          return permits.map(({ of, ...permit }) => (
            <PermittedEstate key={`${of} ${permit.patrimony?.id ?? permit.permittedAt}`} permit={permit} />
          ));
        }}
      </Loaded>
    </>
  );
}

function PermittedEstate({ permit: { patrimony, permittedAt } }: { readonly permit: Permit }) {
  const { estates: text } = originatorTexts.get();
  return (
    <Section
      id={`estate-${patrimony?.id ?? permittedAt}`}
      title={patrimony?.name ?? text.withdrawn}
      links={<Estate ticker={patrimony?.ticker ?? null} />}
    >
      <p className="muted">
        {text.since} {date(permittedAt)}
      </p>
      {patrimony === null ? null : <Criteria patrimonyId={patrimony.id} />}
    </Section>
  );
}

function Criteria({ patrimonyId }: { readonly patrimonyId: string }) {
  const { estates: text, words } = originatorTexts.get();
  const query = useQuery(graph, 'criteria', { patrimonyId });
  const limit = <Value,>(value: Value | null, write: (value: Value) => string) =>
    value === null ? words.noLimit : write(value);
  return (
    <Loaded query={query}>
      {({ eligibilityCriteria: criteria, limitUsage }) =>
        criteria === null ? (
          <p className="notice">{text.noCriteria}</p>
        ) : (
          <>
            <Facts
              items={[
                [text.minFaceValue, limit(criteria.minFaceValue, money)],
                [text.maxFaceValue, limit(criteria.maxFaceValue, money)],
                [text.maxTermDays, limit(criteria.maxTermDays, (count) => plural(count, text.days))],
                [text.maxDebtorShare, limit(criteria.maxDebtorShare, percent)],
                [text.updated, moment(criteria.updatedAt)],
              ]}
            />
            <Limits limits={criteria.limits} usage={limitUsage} />
          </>
        )
      }
    </Loaded>
  );
}
