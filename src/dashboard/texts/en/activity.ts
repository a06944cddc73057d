// The feed of activity.

export const activity = {
  title: 'Activity',
  about: 'What goes on in the project, newest first. New things appear by themselves.',
  anyType: 'Everything',
  about_: 'About',
  message: 'A message',
  empty: 'Nothing happened in this time',
  emptyHint: 'Messages, events and workflows show up here as they happen.',
  types: {
    email: 'All about messages',
    'email.sent': 'Sent',
    'email.delivered': 'Delivered',
    'email.opened': 'Opened',
    'email.clicked': 'Clicked',
    'email.bounced': 'Bounced',
    'email.complaint': 'Complained',
    'email.received': 'Received',
    contact: 'Subscriptions',
    'contact.subscribed': 'Subscribed',
    'contact.unsubscribed': 'Unsubscribed',
    event: 'Events',
    'event.triggered': 'Event',
    workflow: 'Workflows',
    'workflow.started': 'Workflow began',
    'workflow.completed': 'Workflow ended',
  } as Record<string, string>,
}
