export interface InvitationPreviewProps {
  organization: string | null;
  email: string;
  name: string;
}

/** A small preview of the invitation page, without its buttons. */
export function InvitationPreview({ organization, email, name }: InvitationPreviewProps) {
  const who = organization ?? 'Your organization';
  return (
    <figure className="roster-preview">
      <figcaption>Invitation preview</figcaption>
      <div className="roster-page">
        <p className="roster-title">{who} invites you to share your health data</p>
        <p>
          {name.trim() !== '' && `Hello ${name.trim()}. `}This invitation was sent to{' '}
          <b>{email.trim() || 'ada@example.com'}</b>. Nothing is shared unless you accept.
        </p>
        <p>
          <b>How long</b> Until you stop sharing. There is no expiration date.
        </p>
        <p>
          <b>Reply by</b> 14 days from now
        </p>
        <div className="roster-choices" aria-hidden="true">
          <span>Accept</span>
          <span>Decline</span>
        </div>
      </div>
    </figure>
  );
}
