import { useRouter } from '@tanstack/react-router';
import { PageHead } from '../frame/parts.js';
import { ProofForm } from '../frame/proof-form.js';
import { logOut, useSession } from '../frame/session.js';
import { accountTexts } from './texts.js';

/** Asks for the second factor of a session that has proved the first. */
export function SecondFactor() {
  const { secondFactor: text } = accountTexts.get();
  const router = useRouter();
  const session = useSession();
  return (
    <>
      <PageHead title={text.title} {...(session === null ? {} : { lead: text.leads[session.kind] })} />
      <ProofForm onDone={() => void router.invalidate()} onCancel={() => void logOut()} />
    </>
  );
}
