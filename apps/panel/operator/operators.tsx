import { Badge, noted, Table, type Column } from '../../design/basics.js';
import { Checks, SelectInput, TextInput, valueIn } from '../../design/controls/controls.js';
import { ActButton } from '../frame/ask.js';
import { date, decimal, language, moment, plural } from '../frame/language.js';
import { Loaded, Note, PageHead, textOf, textsOf, useNote } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { useQuery } from '../frame/use-graph.js';
import { graph, type Operations } from './graph/operations.js';
import { ReasonButton } from './reason-button.js';
import { operatorTexts } from '../texts.js';

type Operator = Operations['operators']['data']['operators'][number];

const roles = ['read', 'publish', 'originate', 'trade', 'administer'] as const;
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
      <PageHead title={text.title} lead={text.lead} acts={<AddOperator onDone={done} />} />
      <Note>{note}</Note>
      <Loaded query={query}>
        {({ operators }) => (
          <Table caption={text.title} rows={operators} empty={text.empty} columns={columnsOf(act, done)} />
        )}
      </Loaded>
    </>
  );
}

function columnsOf(
  run: (operator: Operator, act: Act) => Promise<void>,
  done: (said: string) => void,
): readonly Column<Operator>[] {
  const { audit, operators: text, words } = operatorTexts.get();
  return [
    { label: audit.actorKinds.OPERATOR, kind: 'nowrap', cell: ({ name, email }) => noted(name, email) },
    {
      label: text.roles,
      kind: 'wide',
      cell: (operator) => operator.roles.map((role) => text.roleNames[role] ?? role).join(', '),
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
            <ChangeRoles operator={operator} onDone={done} />
            <ReasonButton
              act={text.reset}
              label={`${text.reset}: ${operator.email}`}
              text={text.resetText}
              run={(reason) => graph.mutate('resetSecondFactors', { owner: operator.id, reason })}
              onDone={() => done(text.wasReset(operator.email))}
            />
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

function AddOperator({ onDone }: { readonly onDone: (said: string) => void }) {
  const { operators: text, words } = operatorTexts.get();
  return (
    <ActButton
      act={text.add}
      text={text.addText}
      button="main"
      fields={['email', 'name', 'language', 'roles']}
      run={async (values) => {
        const email = textOf(values, 'email').trim();
        const input = { email, name: textOf(values, 'name').trim(), roles: textsOf(values, 'roles') };
        const chosen = valueIn(text.languages, textOf(values, 'language')) ?? language.graph;
        await graph.mutate('addOperator', { ...input, language: chosen });
        onDone(text.added(email));
      }}
    >
      <TextInput name="email" type="email" label={text.email} maxLength={254} autoComplete="off" isRequired />
      <TextInput name="name" label={words.name} maxLength={200} autoComplete="off" isRequired />
      <SelectInput name="language" label={text.language} defaultValue={language.graph} options={text.languages} />
      <Roles of={['read']} />
    </ActButton>
  );
}

function ChangeRoles({ operator, onDone }: { readonly operator: Operator; readonly onDone: (said: string) => void }) {
  const { operators: text } = operatorTexts.get();
  const { email } = operator;
  return (
    <ActButton
      act={text.change}
      label={`${text.change}: ${email}`}
      text={text.changeText}
      fields={['roles']}
      run={(values) => graph.mutate('changeOperatorRoles', { operator: email, roles: textsOf(values, 'roles') })}
      onDone={() => onDone(text.wasChanged(email))}
    >
      <Roles of={operator.roles} />
    </ActButton>
  );
}

function Roles({ of }: { readonly of: readonly string[] }) {
  const { operators: text } = operatorTexts.get();
  return (
    <Checks
      name="roles"
      label={text.roles}
      defaultValue={of}
      required={frameTexts.get().chooseOne}
      options={roles.map((value) => ({ value, text: text.roleNames[value] ?? value, hint: text.roleTexts[value] }))}
    />
  );
}

const isLive = ({ revokedAt }: Operator['keys'][number]) => revokedAt === null;

function lastUse(keys: Operator['keys']): string | null {
  const uses = keys.flatMap(({ lastUsedAt }) => (lastUsedAt === null ? [] : [lastUsedAt]));
  return uses.toSorted().at(-1) ?? null;
}
