import { useMutation, useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { fieldProblem } from '../../api/field-problem.ts';
import { useRefusal } from '../../api/role.ts';
import { changeSettings, settingsQuery } from '../../api/settings.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { ErrorBox } from '../../components/feedback.tsx';
import { Field } from '../../components/field.tsx';
import { Card } from '../../components/page.tsx';
import { toast } from '../../components/toast.tsx';

/** Where people may be sent back to after they have connected a device. */
export function RedirectCard({ urls }: { urls: readonly string[] }) {
  const queryClient = useQueryClient();
  const reason = useRefusal('owner', 'change settings');
  const [url, setUrl] = useState('');
  const change = useMutation({
    mutationFn: changeSettings,
    onSuccess: (saved, { add_redirect_urls: added }) => {
      queryClient.setQueryData(settingsQuery.queryKey, saved);
      if (added) setUrl('');
      toast(added ? 'Address added' : 'Address removed');
    },
  });
  const problem = fieldProblem(change.error, 'add_redirect_urls');
  return (
    <Card
      title="Redirect addresses"
      note="Where people may be sent back to after connecting a device; any other redirect_url is refused."
    >
      <div className="stack">
        {urls.length === 0 ? (
          <p className="quiet">
            None yet: people stay on our page when they are done, and calls with a redirect_url are refused.
          </p>
        ) : (
          <ul className="plain-list" aria-label="Redirect addresses">
            {urls.map((one) => (
              <li key={one}>
                <code>{one}</code>
                <IconButton
                  label={`Remove ${one}`}
                  isDisabled={Boolean(reason) || change.isPending}
                  onPress={() => change.mutate({ remove_redirect_urls: [one] })}
                >
                  <X size={14} />
                </IconButton>
              </li>
            ))}
          </ul>
        )}
        <form
          className="settings-add"
          onSubmit={(event) => {
            event.preventDefault();
            if (url.trim() !== '') change.mutate({ add_redirect_urls: [url.trim()] });
          }}
        >
          <Field
            label="Another address"
            placeholder="https://app.example.com/connected"
            value={url}
            onChange={setUrl}
            error={problem}
            inputMode="url"
            autoCapitalize="none"
            isDisabled={Boolean(reason)}
          />
          <Button type="submit" reason={reason} isDisabled={url.trim() === ''} isPending={change.isPending}>
            Add
          </Button>
        </form>
        {change.error && !problem && <ErrorBox error={change.error} title="The list is as it was." />}
      </div>
    </Card>
  );
}
