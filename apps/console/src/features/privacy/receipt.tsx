import { useMutation, useQuery } from '@tanstack/react-query';
import { Download, ShieldCheck, ShieldX } from 'lucide-react';
import { answer, api, sentenceOf } from '../../api/client.js';
import { Loaded, Panel } from '../../components/panel.js';
import { save } from '../../components/save.js';
import { Time } from '../../components/time.js';
import { Button } from '../../components/ui/button.js';
import { isSigned } from '../../lib/canonical.js';
import { pretty } from '../../lib/json.js';

/** The signed proof of a deletion. This browser checks the signature itself, with the public keys of the server. */
export function Receipt({ regulationId: id }: { regulationId: string }) {
  const receipt = useQuery({
    queryKey: ['receipt', id],
    queryFn: () => answer(api.GET('/v2/regulations/{id}/receipt', { params: { path: { id } } })),
  });
  const verify = useMutation({
    mutationFn: async (signed: NonNullable<typeof receipt.data>) => {
      const { keys } = await answer(api.GET('/v2/receipt-keys'));
      const key = keys.find(({ kid }) => kid === signed.signature.keyId);
      if (!key) throw new Error('The server no longer publishes the key of this receipt.');
      return isSigned(signed.receipt, signed.signature.value, key);
    },
  });
  return (
    <Loaded query={receipt} what="The receipt">
      {(signed) => (
        <Panel
          title="Receipt"
          actions={
            <>
              <Button size="sm" disabled={verify.isPending} onClick={() => verify.mutate(signed)}>
                <ShieldCheck size={13} aria-hidden /> Verify
              </Button>
              <Button size="sm" onClick={() => void save(`receipt-${id}.json`, async () => pretty(signed))}>
                <Download size={13} aria-hidden /> Download
              </Button>
            </>
          }
        >
          <p>
            Completed <Time at={signed.receipt.completedAt} look="full" />. Signed with {signed.signature.algorithm},
            and recorded at position {signed.receipt.audit.position} of the audit trail.
          </p>
          {verify.isError && <p className="mt-2 text-bad">{sentenceOf(verify.error)}</p>}
          {verify.data !== undefined && (
            <p
              role="status"
              className={`mt-2 flex items-center gap-2 font-medium ${verify.data ? 'text-good' : 'text-bad'}`}
            >
              {verify.data ? <ShieldCheck size={16} aria-hidden /> : <ShieldX size={16} aria-hidden />}
              {verify.data
                ? 'The signature is valid. The receipt is unchanged.'
                : 'The signature is not valid: it does not match this receipt.'}
            </p>
          )}
        </Panel>
      )}
    </Loaded>
  );
}
