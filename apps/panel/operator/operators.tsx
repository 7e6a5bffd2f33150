import { useState } from 'react';
import { Badge } from '../../design/basics.js';
import { Table, type Column } from '../../design/table.js';
import { Ask, DialogButton } from '../frame/ask.js';
import { date, decimal, moment, plural } from '../frame/language.js';
import { Loaded, Note, PageHead } from '../frame/parts.js';
import { useQuery } from '../frame/use-graph.js';
import { graph } from './graph.js';
import type { Operations } from './graph/operations.js';
import { operatorTexts } from './texts.js';

type Operator = Operations['operators']['data']['operators'][number];

const acts = ['sessions', 'revoke'] as const;
type Act = (typeof acts)[number];

/** The operators, their roles, and the end of their sessions or of their access. */
export function Operators() {
  const { operators: text } = operatorTexts.get();
  const query = useQuery(graph, 'operators', {});
  const [note, setNote] = useState('');
  const act = async ({ id, email }: Operator, wanted: Act) => {
    if (wanted === 'revoke') {
      await graph.mutate('revokeOperator', { operator: email });
      setNote(text.revokedOf(email));
    } else {
      const { endSessionsOf: count } = await graph.mutate('endSessionsOf', { owner: id });
      const ended = count ?? 0;
      setNote(plural(ended, text.ended));
    }
  };
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <Note>{note}</Note>
      <Loaded query={query}>
        {({ operators }) => (
          <Table
            caption={text.title}
            rows={operators}
            keyOf={({ id }) => id}
            empty={text.empty}
            columns={columnsOf(act, query.reload)}
          />
        )}
      </Loaded>
    </>
  );
}

function columnsOf(
  run: (operator: Operator, act: Act) => Promise<void>,
  onDone: () => void,
): readonly Column<Operator>[] {
  const { operators: text } = operatorTexts.get();
  return [
    {
      label: text.operator,
      kind: 'nowrap',
      cell: ({ name, email }) => (
        <>
          {name}
          <span className="sub">{email}</span>
        </>
      ),
    },
    {
      label: text.roles,
      kind: 'wide',
      cell: ({ roles }) => roles.map((role) => text.roleNames[role] ?? role).join(', '),
    },
    { label: text.keys, kind: 'number', cell: ({ keys }) => decimal(keys.filter(isLive).length) },
    { label: text.lastUsed, kind: 'nowrap', cell: ({ keys }) => moment(lastUse(keys)) },
    {
      label: text.status,
      cell: ({ revokedAt }) => (
        <Badge tone={revokedAt === null ? 'good' : 'plain'}>
          {revokedAt === null ? text.active : text.revoked(date(revokedAt))}
        </Badge>
      ),
    },
    {
      label: text.acts,
      cell: (operator) =>
        operator.revokedAt === null ? (
          <span className="row">
            {acts.map((one) => (
              <DialogButton
                key={one}
                label={`${text.actsOf[one]}: ${operator.email}`}
                act={text.actsOf[one]}
                onDone={onDone}
              >
                {(ending) => (
                  <Ask
                    title={`${text.actsOf[one]}: ${operator.email}`}
                    act={text.actsOf[one]}
                    run={() => run(operator, one)}
                    {...ending}
                  >
                    {text.texts[one]}
                  </Ask>
                )}
              </DialogButton>
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
