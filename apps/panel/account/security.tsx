import { useRouter } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { Section, TableSection } from '../../design/basics.js';
import { Button, TextInput } from '../../design/controls/controls.js';
import { Secret, SecretsDialog } from '../frame/secrets.js';
import { useParameter } from '../frame/address.js';
import { ActButton, ActDialog } from '../frame/ask.js';
import { date, plural, moment } from '../frame/language.js';
import { FailureNotice, Loaded, PageHead, textOf } from '../frame/parts.js';
import { readSession, useSession } from '../frame/session.js';
import { QrCode } from '../frame/qr-code.js';
import { useAction, useQuery } from '../frame/use-graph.js';
import { graph, type Operations } from './graph/operations.js';
import { accountTexts } from '../texts.js';
import { FailureError } from '../frame/failure.js';

type Factors = Operations['factors']['data']['secondFactors'];

export function Security() {
  const { security: text } = accountTexts.get();
  const query = useQuery(graph, 'factors', {});
  const [codes, setCodes] = useState<readonly string[]>([]);
  const isDue = useSession()?.due === 'ENROLMENT';
  const next = useParameter('next');
  const router = useRouter();
  const changed = (fresh: readonly string[] = []) => {
    setCodes(fresh);
    query.reload();
    // The factors that the session accepts have changed, too; without a response, the banner says so.
    readSession().catch(() => undefined);
  };
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      {isDue ? <p className="notice">{text.required}</p> : null}
      <Loaded query={query}>
        {({ secondFactors }) => (
          <>
            <Passkeys passkeys={secondFactors.passkeys} onChanged={changed} />
            <Totp factors={secondFactors} onChanged={changed} />
            {secondFactors.passkeys.length === 0 && secondFactors.totpSince === null ? null : (
              <Codes left={secondFactors.recoveryCodesLeft} onChanged={changed} />
            )}
          </>
        )}
      </Loaded>
      <SecretsDialog
        title={text.codes}
        text={text.codesText}
        secrets={codes.length === 0 ? [] : [[text.codes, codes.join('\n')]]}
        fileName={text.codesFile}
        done={text.codesStored}
        onClose={() => {
          setCodes([]);
          // Back to the page that had to wait for the first factor.
          if (typeof next === 'string') void router.navigate({ href: next });
        }}
      />
    </>
  );
}

interface PartProps {
  readonly onChanged: (codes?: readonly string[]) => void;
}

function Totp({ factors, onChanged }: PartProps & { readonly factors: Factors }) {
  const { security: text, words } = accountTexts.get();
  const [made, setMade] = useState<NewSecret>();
  const action = useAction();
  const { totpSince } = factors;
  const begin = async () => {
    const { beginTotp } = await graph.mutate('beginTotp', {});
    setMade(beginTotp ?? undefined);
  };
  return (
    <Section
      id="totp"
      title={text.totp}
      links={
        totpSince === null ? (
          <Button onPress={() => void action.run(begin)}>{text.addTotp}</Button>
        ) : (
          <ActButton
            label={`${words.remove}: ${text.totp}`}
            title={text.removeTotp}
            act={words.remove}
            kind="danger"
            text={text.removeText}
            run={() => graph.mutate('removeTotp', {})}
            onDone={onChanged}
          />
        )
      }
    >
      <p>{totpSince === null ? text.totpNone : text.totpSince(date(totpSince))}</p>
      <FailureNotice failure={action.failure} />
      {made === undefined ? null : (
        <AddTotp
          made={made}
          onClose={() => setMade(undefined)}
          onAdded={(codes) => {
            setMade(undefined);
            onChanged(codes);
          }}
        />
      )}
    </Section>
  );
}

function Codes({ left, onChanged }: PartProps & { readonly left: number }) {
  const codes = useRef<readonly string[]>([]);
  const { security: text } = accountTexts.get();
  const button = (
    <ActButton
      act={text.replaceCodes}
      kind="danger"
      text={text.replaceText}
      run={async () => {
        codes.current = (await graph.mutate('replaceRecoveryCodes', {})).replaceRecoveryCodes?.recoveryCodes ?? [];
      }}
      onDone={() => onChanged(codes.current)}
    />
  );
  return (
    <Section id="codes" title={text.codes} links={button}>
      <p>{plural(left, text.codesLeft)}</p>
    </Section>
  );
}

/** A secret that counts once its first code has come. */
type NewSecret = NonNullable<Operations['beginTotp']['data']['beginTotp']>;

function AddTotp(props: {
  readonly made: NewSecret;
  readonly onClose: () => void;
  readonly onAdded: (codes: readonly string[]) => void;
}) {
  const { made, onClose, onAdded } = props;
  const { security: text, words } = accountTexts.get();
  const run = async (values: FormData) => {
    const { confirmTotp } = await graph.mutate('confirmTotp', { code: textOf(values, 'code').replaceAll(' ', '') });
    onAdded(confirmTotp?.recoveryCodes ?? []);
  };
  return (
    <ActDialog
      title={text.addTotp}
      act={text.confirm}
      text={text.scan}
      fields={['code']}
      onClose={onClose}
      run={run}
      onDone={onClose}
    >
      <QrCode text={made.address} label={text.qr} />
      <Secret label={words.secret} value={made.secret} />
      <TextInput
        name="code"
        label={text.code}
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={8}
        isRequired
        autoFocus
      />
    </ActDialog>
  );
}

interface PasskeysProps {
  readonly passkeys: readonly Operations['factors']['data']['secondFactors']['passkeys'][number][];
  readonly onChanged: (codes?: readonly string[]) => void;
}

function Passkeys({ passkeys, onChanged }: PasskeysProps) {
  const { security: text, words } = accountTexts.get();
  const codes = useRef<readonly string[]>([]);
  const add = (
    <ActButton
      act={text.addPasskey}
      fields={['name']}
      run={async (values) => {
        codes.current = await createPasskey(textOf(values, 'name'));
      }}
      onDone={() => onChanged(codes.current)}
    >
      <TextInput
        name="name"
        label={words.name}
        hint={text.passkeyNameHint}
        maxLength={100}
        autoComplete="off"
        isRequired
        autoFocus
      />
    </ActButton>
  );
  return (
    <TableSection
      id="passkeys"
      title={text.passkeys}
      links={add}
      rows={passkeys}
      empty={text.passkeysEmpty}
      columns={[
        { label: words.name, kind: 'wide', cell: ({ name }) => name },
        { label: text.added, kind: 'nowrap', cell: ({ createdAt }) => date(createdAt) },
        {
          label: words.lastUsed,
          kind: 'nowrap',
          cell: ({ lastUsedAt }) => (lastUsedAt === null ? words.never : moment(lastUsedAt)),
        },
        {
          label: words.acts,
          cell: (passkey) => (
            <ActButton
              label={`${words.remove} ${passkey.name}`}
              title={text.removePasskey(passkey.name)}
              act={words.remove}
              kind="danger"
              text={text.removeText}
              run={() => graph.mutate('removePasskey', { id: passkey.id })}
              onDone={onChanged}
            />
          ),
        },
      ]}
    />
  );
}

async function createPasskey(name: string): Promise<readonly string[]> {
  const { beginPasskey } = await graph.mutate('beginPasskey', {});
  // Form defined by WebAuthn.
  const options = JSON.parse(beginPasskey ?? '{}') as PublicKeyCredentialCreationOptionsJSON;
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const created = await navigator.credentials.create({ publicKey }).catch(() => null);
  if (!(created instanceof PublicKeyCredential)) {
    const { failedPasskey } = accountTexts.get().security;
    throw new FailureError({ code: 'PASSKEY_NOT_CREATED', message: '', said: failedPasskey, details: [] });
  }
  const { addPasskey } = await graph.mutate('addPasskey', { name, credential: JSON.stringify(created.toJSON()) });
  return addPasskey?.recoveryCodes ?? [];
}
