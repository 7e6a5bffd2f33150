import { Badge, Facts, Section, Table, type Column } from '../../design/basics.js';
import { Check, Button, Dialog, SelectInput, TextInput } from '../../design/controls/controls.js';
import { ActButton, DialogButton } from '../frame/ask.js';
import { date, decimal } from '../frame/language.js';
import { Loaded, PageHead, Form, textOf } from '../frame/parts.js';
import { useQuery, useAction } from '../frame/use-graph.js';
import { graph, type Operations } from './graph/operations.js';
import { originatorTexts } from '../texts.js';
import { useState } from 'react';
import { accepted } from '../frame/failure.js';
import { saveFile } from '../frame/save-file.js';
import { frameTexts } from '../frame/texts.js';

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

/** Registers a signing key of an originator: one of a pair that this browser makes, or a public key that was made elsewhere. */
function NewSigningKey(props: {
  readonly originatorId: string;
  readonly onClose: () => void;
  readonly onAdded: () => void;
}) {
  const { originatorId, onClose, onAdded } = props;
  const { keys: text, words } = originatorTexts.get();
  const action = useAction();
  const [way, setWay] = useState<Way>(canMakeKeyPair ? 'make' : 'paste');
  const [pair, setPair] = useState<KeyPair>();
  const add = async (publicKey: string) => {
    const { addMyOriginatorKeyResult } = await graph.mutate('addMyOriginatorKey', { originatorId, publicKey });
    accepted(addMyOriginatorKeyResult);
  };
  const make = async () => {
    const made = await makeKeyPair();
    setPair(made);
    save(made);
  };
  return (
    <Dialog title={text.add} isOpen isFirm={pair !== undefined} onClose={onClose}>
      <p>{text.addText}</p>
      <Form
        action={action}
        fields={['publicKey']}
        label={text.add}
        onSubmit={(values) => {
          const publicKey = pair?.publicKey ?? textOf(values, 'publicKey').trim();
          void action
            .run(() => add(publicKey))
            .then((worked) => {
              if (worked) onAdded();
            });
        }}
      >
        {pair === undefined ? (
          <SelectInput
            name="way"
            label={words.key}
            value={way}
            onChange={(value) => {
              setWay(value);
              action.clear();
            }}
            options={ways.map((value) => ({ value, text: text.ways[value] }))}
          />
        ) : (
          <MadePair pair={pair} />
        )}
        {way === 'paste' ? (
          <TextInput
            name="publicKey"
            label={text.publicKey}
            hint={text.publicKeyHint}
            rows={8}
            maxLength={16_000}
            autoComplete="off"
            isRequired
          />
        ) : null}
        <div className="acts">
          <Button onPress={onClose}>{frameTexts.get().cancel}</Button>
          {way === 'make' && pair === undefined ? (
            <Button kind="main" isBusy={action.isBusy} onPress={() => void action.run(make)}>
              {text.make}
            </Button>
          ) : (
            <Button kind="main" type="submit" isBusy={action.isBusy}>
              {text.register}
            </Button>
          )}
        </div>
      </Form>
    </Dialog>
  );
}

function MadePair({ pair }: { readonly pair: KeyPair }) {
  const { keys: text } = originatorTexts.get();
  return (
    <>
      <p className="notice">{text.madeText}</p>
      <p className="small">
        {text.fingerprint}: <code>{pair.fingerprint}</code>
      </p>
      <div className="row">
        <Button onPress={() => save(pair)}>{text.saveAgain}</Button>
      </div>
      <Check name="stored" value="yes" isRequired>
        {text.stored}
      </Check>
    </>
  );
}

function save({ fingerprint, privateKey }: KeyPair): void {
  const { keys: text } = originatorTexts.get();
  saveFile(`${text.fileName}-${fingerprint.slice(0, 8)}.pem`, privateKey, 'pem');
}

/** A pair that the browser has made. Only the public key is sent; the private one is saved as a file, and forgotten with the page. */
interface KeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
  /** SHA-256 of the public key in DER, in hexadecimal, as the server shows it. */
  readonly fingerprint: string;
}

/** Whether the browser can make a pair: only pages over HTTPS, or of the machine itself, have WebCrypto. */
const canMakeKeyPair = 'subtle' in crypto;

type Way = 'make' | 'paste';
const ways: readonly Way[] = canMakeKeyPair ? ['make', 'paste'] : ['paste'];

/** Makes a pair of RSA with 3072 bits, as PEM: SPKI and PKCS #8. */
async function makeKeyPair(): Promise<KeyPair> {
  const { publicKey, privateKey } = await crypto.subtle.generateKey(
    {
      name: 'RSASSA-PKCS1-v1_5',
      modulusLength: 3072,
      publicExponent: new Uint8Array([1, 0, 1]),
      hash: 'SHA-256',
    },
    true,
    ['sign', 'verify'],
  );
  const spki = await crypto.subtle.exportKey('spki', publicKey);
  const digest = await crypto.subtle.digest('SHA-256', spki);
  return {
    publicKey: pemOf('PUBLIC KEY', spki),
    privateKey: pemOf('PRIVATE KEY', await crypto.subtle.exportKey('pkcs8', privateKey)),
    fingerprint: [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
  };
}

function pemOf(label: string, der: ArrayBuffer): string {
  const text = btoa(new Uint8Array(der).reduce((all, byte) => all + String.fromCharCode(byte), ''));
  return [`-----BEGIN ${label}-----`, ...(text.match(/.{1,64}/g) ?? []), `-----END ${label}-----`, ''].join('\n');
}
