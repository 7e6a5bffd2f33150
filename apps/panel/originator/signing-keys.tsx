import { Badge, Facts, Section, Table, type Column } from '../../design/basics.js';
import { Check } from '../../design/controls/controls.js';
import { ActButton, DialogButton } from '../frame/ask.js';
import { date, decimal } from '../frame/language.js';
import { Loaded, PageHead } from '../frame/parts.js';
import { useQuery } from '../frame/use-graph.js';
import { graph, type Operations } from './graph.js';
import { NewSigningKey } from './new-signing-key.js';
import { originatorTexts } from '../texts.js';

type Originator = Operations['originators']['data']['myOriginators'][number];
type Key = Originator['keys'][number];

export function SigningKeys() {
  const { keys: text, words } = originatorTexts.get();
  const query = useQuery(graph, 'originators', {});
  return (
    <>
      <PageHead title={words.signingKeys} lead={text.lead} />
      <Loaded query={query}>
        {({ myOriginators }) => (
          <>
            {myOriginators.map((originator) => (
              <Keys key={originator.id} originator={originator} onChange={query.reload} />
            ))}
            <Section id="rotate" title={text.rotate}>
              <p>{text.rotateText}</p>
              <pre className="scroll" tabIndex={0}>
                {'openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:3072 -out private.pem\n' +
                  'openssl pkey -in private.pem -pubout -out public.pem\n' +
                  'openssl pkey -pubin -in public.pem -outform DER | sha256sum'}
              </pre>
            </Section>
          </>
        )}
      </Loaded>
    </>
  );
}

function Keys({ originator, onChange }: { readonly originator: Originator; readonly onChange: () => void }) {
  const { keys: text, words } = originatorTexts.get();
  const { id, name, status, accountMaySend, rateLimit, keys } = originator;
  const mayChange = accountMaySend && status === 'ACTIVE';
  return (
    <Section
      id={`originator-${id}`}
      title={name}
      links={
        mayChange ? (
          <DialogButton label={`${text.add}: ${name}`} act={text.add} onDone={onChange}>
            {({ onClose, onDone }) => <NewSigningKey originatorId={id} onClose={onClose} onAdded={onDone} />}
          </DialogButton>
        ) : null
      }
    >
      <Facts
        items={[
          [text.clientId, <code key="id">{id}</code>],
          [words.status, text.states[status]],
          [words.sending, accountMaySend ? words.permitted : words.notPermitted],
          [text.limit, rateLimit === null ? words.defaultLimit : text.perMinute(decimal(rateLimit))],
        ]}
      />
      <KeyTable {...{ keys, mayChange, onChange }} />
    </Section>
  );
}

function KeyTable(props: {
  readonly keys: readonly Key[];
  readonly mayChange: boolean;
  readonly onChange: () => void;
}) {
  const { keys, mayChange, onChange } = props;
  const { keys: text, words } = originatorTexts.get();
  const isLast = keys.filter(({ revokedAt }) => revokedAt === null).length === 1;
  const acts: Column<Key> = {
    label: text.acts,
    cell: (key) =>
      key.revokedAt === null ? <RevokeSigningKey signingKey={key} isLast={isLast} onDone={onChange} /> : '',
  };
  return (
    <Table
      caption={words.signingKeys}
      rows={keys}
      empty={words.noKeys}
      columns={[
        { label: text.fingerprint, kind: 'wide', cell: ({ fingerprint }) => <code>{fingerprint}</code> },
        { label: text.bits, kind: 'nowrap', cell: ({ bits }) => text.bitsOf(decimal(bits)) },
        { label: text.created, kind: 'nowrap', cell: ({ createdAt }) => date(createdAt) },
        {
          label: words.status,
          kind: 'nowrap',
          cell: ({ revokedAt }) => (
            <Badge tone={revokedAt === null ? 'good' : 'plain'}>
              {revokedAt === null ? words.valid : text.revoked(date(revokedAt))}
            </Badge>
          ),
        },
        ...(mayChange ? [acts] : []),
      ]}
    />
  );
}

/** Asks before it revokes a signing key; the last valid one only after a further confirmation. */
function RevokeSigningKey(props: { readonly signingKey: Key; readonly isLast: boolean; readonly onDone: () => void }) {
  const { signingKey, isLast, onDone } = props;
  const { keys: text, words } = originatorTexts.get();
  const { id, fingerprint } = signingKey;
  return (
    <ActButton
      label={`${words.revoke} ${fingerprint.slice(0, 8)}`}
      title={text.revokeTitle(fingerprint.slice(0, 8))}
      act={words.revoke}
      kind="danger"
      text={text.revokeText}
      run={(values) => graph.mutate('revokeMyOriginatorKey', { id, withoutSuccessor: isLast && values.has('sure') })}
      onDone={onDone}
    >
      {isLast ? (
        <>
          <p className="notice bad">{text.lastText}</p>
          <Check name="sure">{text.lastSure}</Check>
        </>
      ) : null}
    </ActButton>
  );
}
