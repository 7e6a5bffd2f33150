import { SecretsDialog } from '../frame/secrets.js';
import { developerTexts } from './texts.js';

/** Shows the secret of a webhook, once. */
export function SecretDialog(props: { readonly secret: string | undefined; readonly onClose: () => void }) {
  const { secret, onClose } = props;
  const { webhooks: text, words } = developerTexts.get();
  return (
    <SecretsDialog
      title={text.secretTitle}
      text={text.secretText}
      secrets={secret === undefined ? [] : [[words.secret, secret]]}
      done={text.stored}
      onClose={onClose}
    />
  );
}
