import { Link } from '@tanstack/react-router';
import { Badge, Empty, Facts, Section, TableSection } from '../../design/basics.js';
import { ActButton } from '../frame/ask.js';
import { usePathPart } from '../frame/address.js';
import { date, decimal } from '../frame/language.js';
import { Loaded, Note, PageHead, textOf, useNote } from '../frame/parts.js';
import { useSession } from '../frame/session.js';
import { frameTexts } from '../frame/texts.js';
import { operatorTexts } from '../texts.js';
import { useQuery } from '../frame/use-graph.js';
import { graph } from './graph.js';
import { OriginatorEstates, type Originator, type OriginatorPart } from './originator-estates.js';
import { changedParty, PartyFields } from './party-fields.js';
import { PublicKeyInput } from './originators.js';

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
