import { Link, useRouter } from '@tanstack/react-router';
import { Badge, Table, Empty, Facts, Section, TableSection } from '../../design/basics.js';
import { TextInput } from '../../design/controls/controls.js';
import { ActButton } from '../frame/ask.js';
import { date, decimal } from '../frame/language.js';
import { Loaded, PageHead, textOf, Note, useNote } from '../frame/parts.js';
import { useSession } from '../frame/session.js';
import { useQuery } from '../frame/use-graph.js';
import { graph } from './graph/operations.js';
import { PartyFields, partyOf, changedParty } from './party-fields.js';
import { operatorTexts } from '../texts.js';
import { usePathPart } from '../frame/address.js';
import { frameTexts } from '../frame/texts.js';
import { OriginatorEstates, type Originator, type OriginatorPart } from './originator-estates.js';

export function Originators() {
  const { originators: text, onboarding, words } = operatorTexts.get();
  const query = useQuery(graph, 'allOriginators', {});
  const mayAct = useSession()?.scopes.includes('originate') === true;
  return (
    <>
      <PageHead title={text.title} lead={text.lead} acts={mayAct ? <AddOriginator /> : undefined} />
      <Loaded query={query}>
        {({ originators }) => (
          <Table
            caption={text.title}
            rows={originators}
            empty={text.empty}
            columns={[
              {
                label: onboarding.name,
                kind: 'wide',
                cell: ({ id, name }) => (
                  <Link to="/operacao/originadores/$id" params={{ id }}>
                    {name}
                  </Link>
                ),
              },
              {
                label: words.status,
                kind: 'nowrap',
                cell: ({ status }) => <Badge tone={status === 'ACTIVE' ? 'good' : 'bad'}>{text.states[status]}</Badge>,
              },
              {
                label: words.validKeys,
                kind: 'number',
                cell: ({ keys }) => decimal(keys.filter(({ revokedAt }) => revokedAt === null).length),
              },
              {
                label: words.sending,
                kind: 'nowrap',
                cell: (one) => (one.accountMaySend ? words.permitted : words.notPermitted),
              },
              {
                label: words.permits,
                cell: ({ permits }) => permits.map(({ patrimony }) => patrimony?.ticker ?? '—').join(', ') || text.none,
              },
              { label: words.since, kind: 'nowrap', cell: ({ createdAt }) => date(createdAt) },
            ]}
          />
        )}
      </Loaded>
    </>
  );
}

function AddOriginator() {
  const { onboarding: text } = operatorTexts.get();
  const router = useRouter();
  return (
    <ActButton
      button="main"
      act={text.add}
      fields={['name', 'publicKey', 'rateLimit', 'accountId']}
      text={text.addText}
      run={async (values) => {
        const { addOriginator: added } = await graph.mutate('addOriginator', {
          ...partyOf(values),
          publicKey: textOf(values, 'publicKey').trim(),
        });
        if (added !== null) await router.navigate({ to: '/operacao/originadores/$id', params: { id: added.id } });
      }}
    >
      <PartyFields text={text} accountHint={text.accountHint}>
        <PublicKeyInput />
      </PartyFields>
    </ActButton>
  );
}

export function PublicKeyInput() {
  const { onboarding: text, words } = operatorTexts.get();
  return (
    <TextInput
      name="publicKey"
      label={words.publicKey}
      hint={text.publicKeyHint}
      rows={5}
      maxLength={16_384}
      autoComplete="off"
      isRequired
    />
  );
}

export function OriginatorPage() {
  const { onboarding, words } = operatorTexts.get();
  const id = usePathPart('id');
  const query = useQuery(graph, 'originatorById', { id });
  const mayAct = useSession()?.scopes.includes('originate') === true;
  const [note, onDone] = useNote(query.reload);
  const originator = query.data?.originator ?? undefined;
  const parts = originator === undefined ? undefined : { originator, mayAct, onDone };
  return (
    <>
      <PageHead
        title={originator?.name ?? words.originator}
        lead={<Link to="/operacao/originadores">{onboarding.back}</Link>}
        acts={parts !== undefined && mayAct ? <Acts {...parts} /> : undefined}
      />
      <Note>{note}</Note>
      <Loaded query={query}>
        {() =>
          parts === undefined ? (
            <Empty>{frameTexts.get().notFound}</Empty>
          ) : (
            <>
              <Section id="summary" title={onboarding.details}>
                <Summary originator={parts.originator} />
              </Section>
              <OriginatorKeys {...parts} />
              <OriginatorEstates {...parts} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

function Acts({ originator, onDone }: OriginatorPart) {
  const { originators: text, onboarding, words } = operatorTexts.get();
  const { id, name, status, accountId, accountMaySend } = originator;
  const isActive = status === 'ACTIVE';
  const [act, sending] = [
    isActive ? words.suspend : text.activate,
    accountMaySend ? text.withdrawSending : text.permitSending,
  ];
  return (
    <>
      <ActButton
        title={`${words.change}: ${name}`}
        opens={words.change}
        act={words.save}
        fields={['name', 'rateLimit', 'accountId']}
        run={(values) => graph.mutate('changeOriginator', { id, ...changedParty(originator, values) })}
        onDone={() => onDone(onboarding.changed)}
      >
        <PartyFields of={originator} text={onboarding} accountHint={onboarding.otherAccountHint} />
      </ActButton>
      <ActButton
        title={`${act}: ${name}`}
        act={act}
        kind="danger"
        text={isActive ? text.suspendText : text.activateText}
        run={() => graph.mutate('changeOriginator', { id, status: isActive ? 'SUSPENDED' : 'ACTIVE' })}
        onDone={() => onDone(isActive ? onboarding.suspended : onboarding.activated)}
      />
      {accountId === null ? null : (
        <ActButton
          title={`${sending}: ${name}`}
          act={sending}
          kind="danger"
          text={accountMaySend ? text.withdrawSendingText : text.permitSendingText}
          run={() => graph.mutate('permitAccountToSend', { id, permitted: !accountMaySend })}
          onDone={() => onDone(accountMaySend ? onboarding.sendingWithdrawn : onboarding.sendingPermitted)}
        />
      )}
    </>
  );
}

function Summary({ originator }: { readonly originator: Originator }) {
  const { originators: text, words } = operatorTexts.get();
  const { id, status, accountId, accountMaySend, rateLimit, createdAt } = originator;
  return (
    <Facts
      items={[
        [text.clientId, <code key="id">{id}</code>],
        [
          words.status,
          <Badge key="status" tone={status === 'ACTIVE' ? 'good' : 'bad'}>
            {text.states[status]}
          </Badge>,
        ],
        [text.account, accountId === null ? text.none : <code key="account">{accountId}</code>],
        [words.sending, accountMaySend ? words.permitted : words.notPermitted],
        [words.limit, rateLimit === null ? words.defaultLimit : text.perMinute(decimal(rateLimit))],
        [words.since, date(createdAt)],
      ]}
    />
  );
}

function OriginatorKeys({ originator: { id, keys }, mayAct, onDone }: OriginatorPart) {
  const { originators: text, onboarding, words } = operatorTexts.get();
  return (
    <TableSection
      id="keys"
      title={words.signingKeys}
      rows={keys}
      empty={words.noKeys}
      columns={[
        { label: text.keys, kind: 'wide', cell: ({ fingerprint }) => <code>{fingerprint}</code> },
        { label: text.bits, kind: 'number', cell: ({ bits }) => decimal(bits) },
        { label: words.since, kind: 'nowrap', cell: ({ createdAt }) => date(createdAt) },
        {
          label: words.status,
          kind: 'nowrap',
          cell: ({ revokedAt }) => (revokedAt === null ? words.valid : text.revoked(date(revokedAt))),
        },
        {
          label: words.acts,
          cell: (key) =>
            mayAct && key.revokedAt === null ? (
              <ActButton
                label={`${words.revoke} ${key.fingerprint.slice(0, 12)}`}
                title={onboarding.revokeTitle}
                act={words.revoke}
                kind="danger"
                text={onboarding.revokeText}
                run={() => graph.mutate('revokeOriginatorKey', { id: key.id })}
                onDone={() => onDone(onboarding.keyRevoked)}
              >
                <p>
                  <code>{key.fingerprint}</code>
                </p>
              </ActButton>
            ) : null,
        },
      ]}
    >
      {mayAct ? (
        <div className="row">
          <ActButton
            act={onboarding.addKey}
            fields={['publicKey']}
            text={onboarding.addKeyText}
            run={(values) =>
              graph.mutate('addOriginatorKey', { originatorId: id, publicKey: textOf(values, 'publicKey').trim() })
            }
            onDone={() => onDone(onboarding.keyAdded)}
          >
            <PublicKeyInput />
          </ActButton>
        </div>
      ) : null}
    </TableSection>
  );
}
