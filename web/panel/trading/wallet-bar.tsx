import { useState } from 'react';
import { Button } from '../../design/controls/button.js';
import { SelectInput } from '../../design/controls/fields.js';
import { useSession } from '../frame/session.js';
import { useQuery } from '../frame/use-graph.js';
import { graph } from './graph.js';
import { NewProfile } from './new-profile.js';
import { tradingTexts } from './texts.js';
import { chooseWallet, useWallet } from './wallet.js';

/** Chooses the wallet of all screens: the world, and the company itself or one of its profiles. */
export function WalletBar() {
  const { wallet: text } = tradingTexts.get();
  const { synthetic, profileId } = useWallet();
  const { data, reload } = useQuery(graph, 'profiles', { synthetic });
  const mayTrade = useSession()?.scopes.includes('trade') === true;
  const [isNew, setNew] = useState(false);
  const profiles = data?.fetchProfiles.profiles ?? [];
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
          onChange={(value) => {
            chooseWallet({ synthetic: value === 'synthetic', profileId: null });
          }}
          options={[
            { value: 'real', text: text.real },
            { value: 'synthetic', text: text.synthetic },
          ]}
        />
        <SelectInput
          name="profile"
          label={text.profile}
          value={profileId ?? ''}
          onChange={(value) => {
            chooseWallet({ synthetic, profileId: value === '' ? null : value });
          }}
          options={[
            { value: '', text: text.company },
            ...profiles.map(({ id, name, status }) => ({
              value: id,
              text: status === 'ACTIVE' ? name : `${name} (${text.suspended})`,
            })),
          ]}
        />
        {mayTrade ? (
          <Button
            onPress={() => {
              setNew(true);
            }}
          >
            {text.newProfile}
          </Button>
        ) : null}
      </div>
      {isNew ? (
        <NewProfile
          synthetic={synthetic}
          onClose={() => {
            setNew(false);
          }}
          onCreated={(id) => {
            setNew(false);
            reload();
            chooseWallet({ synthetic, profileId: id });
          }}
        />
      ) : null}
    </div>
  );
}
