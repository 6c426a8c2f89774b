export interface InvitationPreviewProps {
  organization: string | null;
  email: string;
  name: string;
}

/** The page behind the link in the mail, in small: its words, not its buttons. */
export function InvitationPreview({ organization, email, name }: InvitationPreviewProps) {
  const who = organization ?? 'Your organization';
  return (
    <figure className="roster-preview">
      <figcaption>What the person reads</figcaption>
      <div className="roster-page">
        <p className="roster-title">{who} invites you to share your health data</p>
        <p>
          {name.trim() !== '' && `Hello ${name.trim()}. `}This invitation was sent to{' '}
          <b>{email.trim() || 'ada@example.com'}</b>. Nothing is shared unless you accept.
        </p>
        <p>
          <b>For how long</b> Until you leave. There is no other end.
        </p>
        <p>
          <b>Answer by</b> 14 days from now
        </p>
        <div className="roster-answers" aria-hidden="true">
          <span>Accept</span>
          <span>Decline</span>
        </div>
      </div>
    </figure>
  );
}
