// The words that recipients see. English is the pattern: the compiler names what another language lacks, and a test checks that it has the
// same facts. `{projectName}` stands for the sender, `{email}` for the recipient's address, `{date}` for the end of a pause.

export type Locale = typeof en

export const en = {
  /** For the `lang` of a page, and for formatting dates. */
  code: 'en',
  footer: 'You received this email because you agreed to receive email from {projectName}.',
  unsubscribe: {
    title: 'Unsubscribe',
    question: 'Do you want to stop receiving emails from {projectName} at {email}?',
    button: 'Unsubscribe',
    manageLink: 'Manage your subscription instead',
    doneTitle: 'You are unsubscribed',
    done: 'You will receive no more newsletters from {projectName} at {email}.',
    changedMind: 'Changed your mind?',
    again: 'Subscribe again',
  },
  subscribe: {
    title: 'Subscribe',
    question: 'Do you want to receive emails from {projectName} at {email}?',
    button: 'Subscribe',
    doneTitle: 'You are subscribed',
    done: 'You will receive emails from {projectName} at {email}.',
  },
  manage: {
    title: 'Manage your subscription',
    description: 'Decide whether you receive emails from {projectName} at {email}.',
    label: 'Your subscription',
    subscribed: 'You are subscribed.',
    unsubscribed: 'You are unsubscribed.',
    paused: 'Emails are paused until {date}.',
    subscribedNote: 'Your choice is saved. You will receive emails again.',
    unsubscribedNote: 'Your choice is saved. You will receive no more newsletters.',
    pausedNote: 'Your choice is saved. You will receive no newsletters until {date}.',
    unsubscribeLink: 'Open the unsubscribe page',
    subscribeLink: 'Open the subscribe page',
    disclaimer:
      'This is about newsletters and offers. Messages about your account or your orders, such as receipts and password resets, may still be sent to you.',
  },
  /** Where a project sends several kinds of email; `{topic}` is the name of one. */
  topics: {
    title: 'What you receive',
    question: 'Do you want to stop receiving “{topic}” from {projectName} at {email}?',
    everything: 'Unsubscribe from everything',
  },
  snooze: {
    title: 'Take a break instead',
    /** For a contact who is snoozed already. */
    changeTitle: 'Change the pause',
    /** Comes before the durations. */
    label: 'Pause emails for',
    button: 'Pause',
    /** Ends a pause. */
    resume: 'Receive emails again now',
  },
  /** Forms by which people sign up, and the email that asks whether it was them. */
  forms: {
    email: 'Email address',
    optional: 'optional',
    /** What people agree to, unless the form has words of its own. */
    consent:
      'By subscribing you agree to receive emails from {projectName}. You can unsubscribe at any time.',
    /** The page between, for forms on other pages. */
    step: { title: 'One more step', text: 'Please press the button to send the form.', button: 'Send' },
    asked: {
      title: 'Please check your inbox',
      text: 'If the address can receive it, an email with a link is on its way. Open the link and confirm; only then are you subscribed. If nothing arrives, look in the spam folder. At most one such email is sent a day.',
    },
    confirm: { title: 'Confirm your subscription', button: 'Confirm' },
    /** A link that is no longer good. */
    over: {
      title: 'This link no longer works',
      text: 'It is used up, has expired, or a newer email replaced it. Please fill in the form again.',
    },
    closed: { title: 'This form is closed', text: 'It is not available at the moment.' },
    faults: {
      email: 'Please enter a valid email address.',
      refused: 'We cannot send emails to this address. Please use another one.',
      fields: 'Please check the marked fields.',
      tooMany: 'Too many attempts. Please try again later.',
    },
    mail: {
      subject: 'Please confirm your subscription to {projectName}',
      text: 'Somebody, hopefully you, asked for emails from {projectName} at {email}. Please confirm that you want them.',
      until: 'The link works until {date}.',
      ignore: 'If it was not you, ignore this email. You will receive nothing more.',
    },
  },
  /** A copy of what is kept about a person, and its erasure. */
  privacy: {
    title: 'Your data',
    /** On the preference page. */
    offer:
      'You can read what {projectName} keeps about you here, or have it erased. An email to {email} has the link, so that nobody else can.',
    button: 'Send me the link',
    asked: 'If {email} can receive it, an email with the link is on its way. At most one is sent a day.',
    mail: {
      subject: 'Your data at {projectName}',
      text: 'Somebody, hopefully you, asked for what {projectName} keeps about {email}. The link leads to it, and to its erasure.',
      ignore: 'If it was not you, ignore this email.',
    },
    read: 'Read it',
    save: 'Save it as a file (JSON)',
    erase: {
      title: 'Erase everything',
      text: 'What is kept here about {email} is deleted for good, and nothing is sent to the address again. This cannot be undone.',
      sure: 'Yes, erase it',
      button: 'Erase',
      doneTitle: 'Your data is being erased',
      done: 'Nothing about you stays but a code by which your address is recognised, so that nothing is sent to it again.',
    },
    /** A link that is no longer good. */
    over: 'It has expired, or the data is erased already. The links in our emails lead to a new one.',
    parts: { contact: 'You', fields: 'Fields', consent: 'Consent', events: 'Events', messages: 'Messages' },
    newest: 'The newest {number}. The file has all.',
  },
  faults: {
    brokenTitle: 'Something went wrong',
    broken: 'Please try again in a few minutes.',
    /** Of a link in a test email. */
    testTitle: 'This was a test',
    test: 'This link is from a test email. Nothing was changed.',
    invalidTitle: 'This link is not valid',
    invalid:
      'It may be incomplete, or the address has been removed. Please open the link exactly as it stands in the email.',
    /** Of what another program showed, and is not here. */
    goneTitle: 'No longer available',
    gone: 'The link is right, but the sender has since moved to another email system, and this page is no longer available.',
    choose: 'Please choose one of the options.',
    notSubscribed: 'Only a subscription can be paused. Please subscribe first.',
  },
}
