import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Badge, Empty, Facts, Section } from '../../design/basics.js';
import { ActDialog, DialogButton, type Ending } from '../frame/ask.js';
import { usePathPart } from '../frame/address.js';
import { date, decimal } from '../frame/language.js';
import { Loaded, Note, PageHead, textOf } from '../frame/parts.js';
import { useSession } from '../frame/session.js';
import { frameTexts } from '../frame/texts.js';
import { useQuery } from '../frame/use-graph.js';
import { graph } from './graph.js';
import { OriginatorEstates, type Originator, type OriginatorPart } from './originator-estates.js';
import { changedParty, PartyFields } from './party-fields.js';
import { operatorTexts } from './texts.js';
import { Table } from '../../design/table.js';
import { PublicKeyInput } from './originators.js';

/** A client that assigns credits: its keys, the estates that it may assign to, and whether people of its account may send. */
export function OriginatorPage() {
  const { onboarding } = operatorTexts.get();
  const id = usePathPart('id');
  const query = useQuery(graph, 'originatorById', { id });
  const mayAct = useSession()?.scopes.includes('originate') === true;
  const [note, setNote] = useState('');
  const onDone = (said: string) => {
    setNote(said);
    query.reload();
  };
  const originator = query.data?.originator ?? undefined;
  const parts = originator === undefined ? undefined : { originator, mayAct, onDone };
  return (
    <>
      <PageHead
        title={originator?.name ?? onboarding.one}
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

/** An act that only asks for a confirmation. */
interface Asked {
  readonly act: string;
  readonly text: string;
  readonly done: string;
  readonly run: () => Promise<unknown>;
}

function actsOn({ id, status, accountId, accountMaySend }: Originator): readonly Asked[] {
  const { originators: text, onboarding } = operatorTexts.get();
  const isActive = status === 'ACTIVE';
  return [
    {
      act: isActive ? text.suspend : text.activate,
      text: isActive ? text.suspendText : text.activateText,
      done: isActive ? onboarding.suspended : onboarding.activated,
      run: () => graph.mutate('changeOriginator', { id, status: isActive ? 'SUSPENDED' : 'ACTIVE' }),
    },
    ...(accountId === null
      ? []
      : [
          {
            act: accountMaySend ? text.withdrawSending : text.permitSending,
            text: accountMaySend ? text.withdrawSendingText : text.permitSendingText,
            done: accountMaySend ? onboarding.sendingWithdrawn : onboarding.sendingPermitted,
            run: () => graph.mutate('permitAccountToSend', { id, permitted: !accountMaySend }),
          },
        ]),
  ];
}

function Acts({ originator, onDone }: OriginatorPart) {
  const { onboarding } = operatorTexts.get();
  return (
    <>
      <DialogButton act={onboarding.change} onDone={() => onDone(onboarding.changed)}>
        {(ending) => <ChangeOriginator originator={originator} {...ending} />}
      </DialogButton>
      {actsOn(originator).map(({ act, text, done, run }) => (
        <DialogButton key={act} act={act} onDone={() => onDone(done)}>
          {(ending) => (
            <ActDialog title={`${act}: ${originator.name}`} act={act} kind="danger" run={run} {...ending}>
              <p>{text}</p>
            </ActDialog>
          )}
        </DialogButton>
      ))}
    </>
  );
}

function Summary({ originator }: { readonly originator: Originator }) {
  const { originators: text } = operatorTexts.get();
  const { id, status, accountId, accountMaySend, rateLimit, createdAt } = originator;
  return (
    <Facts
      items={[
        [text.clientId, <code key="id">{id}</code>],
        [
          text.status,
          <Badge key="status" tone={status === 'ACTIVE' ? 'good' : 'bad'}>
            {text.states[status]}
          </Badge>,
        ],
        [text.account, accountId === null ? text.none : <code key="account">{accountId}</code>],
        [text.sending, accountMaySend ? text.yes : text.no],
        [text.limit, rateLimit === null ? text.defaultLimit : text.perMinute(decimal(rateLimit))],
        [text.created, date(createdAt)],
      ]}
    />
  );
}

/** Changes the name, the rate limit and the linked account of an originator: what was changed in the form, and nothing else. */
function ChangeOriginator({ originator, ...ending }: Ending & { readonly originator: Originator }) {
  const { onboarding: text } = operatorTexts.get();
  return (
    <ActDialog
      title={`${text.change}: ${originator.name}`}
      act={text.save}
      fields={['name', 'rateLimit', 'accountId']}
      run={(values) => graph.mutate('changeOriginator', { id: originator.id, ...changedParty(originator, values) })}
      {...ending}
    >
      <PartyFields of={originator} text={text} accountHint={text.otherAccountHint} />
    </ActDialog>
  );
}

/** The keys with which an originator signs. */
function OriginatorKeys({ originator: { id, keys }, mayAct, onDone }: OriginatorPart) {
  const { originators: text, onboarding } = operatorTexts.get();
  return (
    <Section id="keys" title={onboarding.keys}>
      {mayAct ? (
        <div className="row">
          <DialogButton act={onboarding.addKey} onDone={() => onDone(onboarding.keyAdded)}>
            {(ending) => <AddKey originatorId={id} {...ending} />}
          </DialogButton>
        </div>
      ) : null}
      <Table
        caption={onboarding.keys}
        rows={keys}
        keyOf={(key) => key.id}
        empty={text.noKeys}
        columns={[
          { label: text.keys, kind: 'wide', cell: ({ fingerprint }) => <code>{fingerprint}</code> },
          { label: text.bits, kind: 'number', cell: ({ bits }) => decimal(bits) },
          { label: text.created, kind: 'nowrap', cell: ({ createdAt }) => date(createdAt) },
          {
            label: text.status,
            kind: 'nowrap',
            cell: ({ revokedAt }) => (revokedAt === null ? text.valid : text.revoked(date(revokedAt))),
          },
          {
            label: onboarding.acts,
            cell: (key) =>
              mayAct && key.revokedAt === null ? (
                <DialogButton
                  label={`${onboarding.revoke} ${key.fingerprint.slice(0, 12)}`}
                  act={onboarding.revoke}
                  onDone={() => onDone(onboarding.keyRevoked)}
                >
                  {(ending) => <RevokeKey signingKey={key} {...ending} />}
                </DialogButton>
              ) : null,
          },
        ]}
      />
    </Section>
  );
}

function AddKey({ originatorId, ...ending }: Ending & { readonly originatorId: string }) {
  const { onboarding } = operatorTexts.get();
  return (
    <ActDialog
      title={onboarding.addKey}
      act={onboarding.addKey}
      fields={['publicKey']}
      run={(values) =>
        graph.mutate('addOriginatorKey', { originatorId, publicKey: textOf(values, 'publicKey').trim() })
      }
      {...ending}
    >
      <p>{onboarding.addKeyText}</p>
      <PublicKeyInput />
    </ActDialog>
  );
}

function RevokeKey({ signingKey, ...ending }: Ending & { readonly signingKey: Originator['keys'][number] }) {
  const { onboarding } = operatorTexts.get();
  return (
    <ActDialog
      title={onboarding.revokeTitle}
      act={onboarding.revoke}
      kind="danger"
      run={() => graph.mutate('revokeOriginatorKey', { id: signingKey.id })}
      {...ending}
    >
      <p>
        <code>{signingKey.fingerprint}</code>
      </p>
      <p>{onboarding.revokeText}</p>
    </ActDialog>
  );
}
