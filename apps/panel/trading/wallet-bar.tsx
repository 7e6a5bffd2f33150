import { useEffect, useState } from 'react';
import { SelectInput, TextInput } from '../../design/controls/controls.js';
import { ActButton } from '../frame/ask.js';
import { useSession } from '../frame/session.js';
import { useQuery } from '../frame/use-graph.js';
import { graph, type Operations } from './graph/operations.js';
import { withoutPunctuation } from './pix-code.js';
import { tradingTexts } from '../texts.js';
import { chooseWallet, useWallet } from './wallet.js';
import { accepted } from '../frame/failure.js';
import { textOf } from '../frame/parts.js';

/** Selects the wallet of all screens: live or synthetic, and the company or one of its profiles. */
export function WalletBar() {
  const { wallet: text, words } = tradingTexts.get();
  const { synthetic, profileId } = useWallet();
  const [profiles, reload] = useProfiles(synthetic);
  const mayTrade = useSession()?.scopes.includes('trade') === true;
  const isListed = profileId === null || profiles.some(({ id }) => id === profileId);
  return (
    <div className={synthetic ? 'wallet synthetic' : 'wallet'}>
      {synthetic ? (
        <p role="note">
          <strong>{text.syntheticBand}</strong>
        </p>
      ) : null}
      <div className="filter">
        <SelectInput
          name="world"
          label={text.world}
          value={synthetic ? 'synthetic' : 'real'}
          onChange={(value) => chooseWallet({ synthetic: value === 'synthetic', profileId: null })}
          options={{ real: text.real, synthetic: text.synthetic }}
        />
        <SelectInput
          name="profile"
          label={words.wallet}
          value={profileId ?? ''}
          onChange={(value) => chooseWallet({ synthetic, profileId: value === '' ? null : value })}
          all={words.ownWallet}
          options={[
            ...profiles.map(({ id, name, status }) => ({
              value: id,
              text: status === 'ACTIVE' ? name : `${name} (${text.suspended})`,
            })),
            // The selected profile is listed even if it is not among the loaded profiles.
            ...(isListed ? [] : [{ value: profileId, text: profileId }]),
          ]}
        />
        {mayTrade ? (
          <NewProfile
            synthetic={synthetic}
            onCreated={(id) => {
              reload();
              chooseWallet({ synthetic, profileId: id });
            }}
          />
        ) : null}
      </div>
    </div>
  );
}

type List = Operations['profiles']['data']['fetchProfiles'];

/** The most pages of profiles that are offered: nobody finds a name among more. */
const mostPages = 10;

function useProfiles(synthetic: boolean): readonly [List['profiles'], () => void] {
  const { data, reload } = useQuery(graph, 'profiles', { synthetic });
  const first = data?.fetchProfiles;
  const [pages, setPages] = useState<readonly List[]>([]);
  const last = pages.at(-1);
  useEffect(() => setPages(first === undefined ? [] : [first]), [first]);
  useEffect(() => {
    if (last?.nextToken == null || pages.length === mostPages) return undefined;
    let isOver = false;
    graph.query('profiles', { synthetic, nextToken: last.nextToken }).then(
      ({ fetchProfiles }) => {
        if (!isOver) setPages([...pages, fetchProfiles]);
      },
      // The names that were read are offered all the same.
      () => undefined,
    );
    return () => {
      isOver = true;
    };
  }, [synthetic, pages, last]);
  return [pages.flatMap(({ profiles }) => profiles), reload];
}

/** Characters of a CPF without punctuation; a CNPJ has 14. */
const cpfLength = 11;

/** Creates a profile: a person of the company's, with wallets of its own. */
function NewProfile(props: { readonly synthetic: boolean; readonly onCreated: (id: string) => void }) {
  const { synthetic, onCreated } = props;
  const { wallet: text } = tradingTexts.get();
  return (
    <ActButton
      opens={text.newProfile}
      act={text.create}
      fields={['name', 'document', 'email']}
      run={async (values) => {
        const document = withoutPunctuation(textOf(values, 'document'));
        const { createProfileResult } = await graph.mutate('createProfile', {
          synthetic,
          name: textOf(values, 'name').trim(),
          document,
          documentType: document.length > cpfLength ? 'CNPJ' : 'CPF',
          email: textOf(values, 'email').trim(),
        });
        onCreated(accepted(createProfileResult).id);
      }}
    >
      <TextInput name="name" label={text.name} maxLength={200} isRequired />
      <TextInput name="document" label={text.document} autoComplete="off" maxLength={20} isRequired />
      <TextInput name="email" type="email" label={text.email} maxLength={254} isRequired />
    </ActButton>
  );
}
