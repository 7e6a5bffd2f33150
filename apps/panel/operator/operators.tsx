import { Badge, noted, Table, type Column } from '../../design/basics.js';
import { ActButton } from '../frame/ask.js';
import { date, decimal, moment, plural } from '../frame/language.js';
import { Loaded, Note, PageHead, useNote } from '../frame/parts.js';
import { useQuery } from '../frame/use-graph.js';
import { graph, type Operations } from './graph.js';
import { operatorTexts } from '../texts.js';

type Operator = Operations['operators']['data']['operators'][number];

const acts = ['sessions', 'revoke'] as const;
type Act = (typeof acts)[number];

export function Operators() {
  const { operators: text } = operatorTexts.get();
  const query = useQuery(graph, 'operators', {});
  const [note, done] = useNote(query.reload);
  const act = async ({ id, email }: Operator, wanted: Act) => {
    if (wanted === 'revoke') {
      await graph.mutate('revokeOperator', { operator: email });
      done(text.revokedOf(email));
    } else {
      const { endSessionsOf } = await graph.mutate('endSessionsOf', { owner: id });
      done(plural(endSessionsOf ?? 0, text.ended));
    }
  };
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <Note>{note}</Note>
      <Loaded query={query}>
        {({ operators }) => <Table caption={text.title} rows={operators} empty={text.empty} columns={columnsOf(act)} />}
      </Loaded>
    </>
  );
}

function columnsOf(run: (operator: Operator, act: Act) => Promise<void>): readonly Column<Operator>[] {
  const { operators: text, words } = operatorTexts.get();
  return [
    { label: text.operator, kind: 'nowrap', cell: ({ name, email }) => noted(name, email) },
    {
      label: text.roles,
      kind: 'wide',
      cell: ({ roles }) => roles.map((role) => text.roleNames[role] ?? role).join(', '),
    },
    { label: words.validKeys, kind: 'number', cell: ({ keys }) => decimal(keys.filter(isLive).length) },
    { label: words.lastUsed, kind: 'nowrap', cell: ({ keys }) => moment(lastUse(keys)) },
    {
      label: words.status,
      cell: ({ revokedAt }) => (
        <Badge tone={revokedAt === null ? 'good' : 'plain'}>
          {revokedAt === null ? text.active : text.revoked(date(revokedAt))}
        </Badge>
      ),
    },
    {
      label: words.acts,
      cell: (operator) =>
        operator.revokedAt === null ? (
          <span className="row">
            {acts.map((one) => (
              <ActButton
                key={one}
                label={`${text.actsOf[one]}: ${operator.email}`}
                act={text.actsOf[one]}
                kind="danger"
                text={text.texts[one]}
                run={() => run(operator, one)}
              />
            ))}
          </span>
        ) : null,
    },
  ];
}

const isLive = ({ revokedAt }: Operator['keys'][number]) => revokedAt === null;

function lastUse(keys: Operator['keys']): string | null {
  const uses = keys.flatMap(({ lastUsedAt }) => (lastUsedAt === null ? [] : [lastUsedAt]));
  return uses.toSorted().at(-1) ?? null;
}
