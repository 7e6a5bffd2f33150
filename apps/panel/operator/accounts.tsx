import { useSearch } from '@tanstack/react-router';
import { TextInput, Button } from '../../design/controls/controls.js';
import { AddressForm } from '../frame/address.js';
import { Empty, Badge, Facts, noted, Section, type Tone, Table } from '../../design/basics.js';
import { Loaded, Note, PageHead, useNote, FailureNotice } from '../frame/parts.js';
import { useQuery, useAction, type Action } from '../frame/use-graph.js';
import { graph, type Operations } from './graph/operations.js';
import { accountParameters } from './parameters.js';
import { operatorTexts } from '../texts.js';
import { ActButton } from '../frame/ask.js';
import { decimal, moment, date } from '../frame/language.js';
import { serverNow } from '../frame/session.js';
import { ReasonButton } from './reason-button.js';
import { countOf, NumberInput } from '../frame/number-input.js';

export function Accounts() {
  const { accounts: text } = operatorTexts.get();
  const { conta: find } = accountParameters(useSearch({ strict: false }));
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <AddressForm
        to="/operacao/contas"
        label={text.search}
        submit={text.search}
        fields={['conta']}
        read={accountParameters}
      >
        {({ conta = '' }) => (
          <TextInput
            name="conta"
            label={text.find}
            hint={text.findHint}
            defaultValue={conta}
            maxLength={254}
            autoComplete="off"
            isRequired
          />
        )}
      </AddressForm>
      {find === undefined ? null : <Found key={find} find={find} />}
    </>
  );
}

function Found({ find }: { readonly find: string }) {
  const { accounts: text } = operatorTexts.get();
  const query = useQuery(graph, 'managedAccounts', { find });
  const [note, done] = useNote(query.reload);
  return (
    <>
      <Note>{note}</Note>
      <Loaded query={query}>
        {({ managedAccounts }) =>
          managedAccounts.length === 0 ? (
            <Empty>{text.empty}</Empty>
          ) : (
            managedAccounts.map((account) => <ManagedAccount key={account.id} account={account} onDone={done} />)
          )
        }
      </Loaded>
    </>
  );
}

type Account = Operations['managedAccounts']['data']['managedAccounts'][number];

function ManagedAccount(props: { readonly account: Account; readonly onDone: (said: string) => void }) {
  const { account, onDone } = props;
  const { id, email, keys } = account;
  const action = useAction();
  return (
    <Section id={`account-${id}`} title={email} links={<Acts {...{ account, action, onDone }} />}>
      <FailureNotice failure={action.failure} />
      <State account={account} />
      <ManagedKeys keys={keys} onDone={onDone} />
    </Section>
  );
}

function Acts(props: { readonly account: Account; readonly action: Action; readonly onDone: (said: string) => void }) {
  const { account, action, onDone } = props;
  const { id, email, disabledAt } = account;
  const { accounts: text } = operatorTexts.get();
  const endSessions = async () => {
    const { endAccountSessions } = await graph.mutate('endAccountSessions', { id });
    onDone(text.sessionsEnded(email, decimal(endAccountSessions ?? 0)));
  };
  const enable = async () => {
    await graph.mutate('enableAccount', { id });
    onDone(text.enabled(email));
  };
  return (
    <div className="row">
      <Button isBusy={action.isBusy} onPress={() => void action.run(endSessions)}>
        {text.endSessions}
      </Button>
      {disabledAt === null ? (
        <ReasonButton
          button="danger"
          act={text.disable}
          title={text.disableTitle(email)}
          text={text.disableText}
          run={(reason) => graph.mutate('disableAccount', { id, reason })}
          onDone={() => onDone(text.disabled(email))}
        />
      ) : (
        <Button isBusy={action.isBusy} onPress={() => void action.run(enable)}>
          {text.enable}
        </Button>
      )}
    </div>
  );
}

function State({ account }: { readonly account: Account }) {
  const { accounts: text, words } = operatorTexts.get();
  const { id, ownerType, createdAt, confirmedAt, disabledAt, disabledReason } = account;
  const [tone, state] =
    disabledAt !== null
      ? (['bad', text.states.disabled] as const)
      : confirmedAt === null
        ? (['warn', text.states.unconfirmed] as const)
        : (['good', text.states.active] as const);
  return (
    <Facts
      items={[
        [
          words.status,
          <Badge key="state" tone={tone}>
            {state}
          </Badge>,
        ],
        ...(disabledAt === null
          ? []
          : [[text.disabledSince, moment(disabledAt)] as const, [words.reason, disabledReason] as const]),
        [text.origin, text.origins[ownerType]],
        [text.created, moment(createdAt)],
        ['Id', <code key="id">{id}</code>],
      ]}
    />
  );
}

function LimitKey({ of, onDone }: { readonly of: ManagedKey; readonly onDone: (said: string) => void }) {
  const { prefix, name, rateLimit, followsConfiguration } = of;
  const { accounts: text } = operatorTexts.get();
  return (
    <ActButton
      label={`${text.setLimit} ${prefix}`}
      title={text.limit}
      act={text.setLimit}
      fields={['rateLimit']}
      run={async (values) => {
        const { limitKey } = await graph.mutate('limitKey', { prefix, rateLimit: countOf(values, 'rateLimit') });
        if (limitKey === null) return;
        onDone(text.limited(limitKey.name, decimal(limitKey.rateLimit), limitKey.followsConfiguration));
      }}
    >
      <p>
        <code>{prefix}</code> {text.limited(name, decimal(rateLimit), followsConfiguration)}
      </p>
      <p className="muted">{text.limitLead}</p>
      <NumberInput
        name="rateLimit"
        label={text.rate}
        hint={text.rateHint}
        defaultValue={followsConfiguration ? null : rateLimit}
        isWhole
        autoFocus
      />
    </ActButton>
  );
}

type ManagedKey = Operations['managedAccounts']['data']['managedAccounts'][number]['keys'][number];

type KeyState = 'working' | 'expired' | 'revoked';

const toneOf: Readonly<Record<KeyState, Tone>> = { working: 'good', expired: 'bad', revoked: 'plain' };

function stateOf({ revokedAt, expiresAt }: ManagedKey): KeyState {
  if (revokedAt !== null) return 'revoked';
  return Date.parse(expiresAt) <= serverNow() ? 'expired' : 'working';
}

function ManagedKeys(props: { readonly keys: readonly ManagedKey[]; readonly onDone: (said: string) => void }) {
  const { keys, onDone } = props;
  const { accounts: text, words } = operatorTexts.get();
  return (
    <Table
      caption={text.keys}
      rows={keys}
      empty={text.noKeys}
      columns={[
        { label: text.prefix, kind: 'nowrap', cell: ({ prefix, name }) => noted(<code>{prefix}</code>, name) },
        {
          label: text.rate,
          kind: 'number',
          cell: ({ rateLimit, followsConfiguration }) =>
            noted(decimal(rateLimit), followsConfiguration ? text.isDefault : null),
        },
        {
          label: words.status,
          kind: 'nowrap',
          cell: (key) =>
            noted(
              <Badge tone={toneOf[stateOf(key)]}>{text.keyStates[stateOf(key)]}</Badge>,
              text.until(date(key.revokedAt ?? key.expiresAt)),
            ),
        },
        {
          label: words.lastUsed,
          kind: 'nowrap',
          cell: ({ lastUsedAt }) => (lastUsedAt === null ? '—' : moment(lastUsedAt)),
        },
        {
          label: text.acts,
          cell: (key) => (stateOf(key) === 'working' ? <LimitKey of={key} onDone={onDone} /> : ''),
        },
      ]}
    />
  );
}
