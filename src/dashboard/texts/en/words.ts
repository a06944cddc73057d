// What many pages say.

export const words = {
  appName: 'Waxwing',
  cancel: 'Cancel',
  close: 'Close',
  confirm: 'Confirm',
  copied: 'Copied',
  copy: 'Copy',
  create: 'Create',
  delete: 'Delete',
  edit: 'Edit',
  export: 'Export',
  loading: 'Loading',
  menu: 'Menu',
  more: 'More',
  none: 'None',
  retry: 'Try again',
  save: 'Save',
  saved: 'Saved',
  search: 'Search',
  skipToContent: 'Skip to content',
  typeToConfirm: (word: string) => `Type ${word} to confirm`,
  optional: 'optional',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
}

export const errors = {
  unknown: 'Something went wrong.',
  network: 'The server cannot be reached.',
  networkHint: 'Look at your connection, and whether Waxwing is running.',
  requestId: 'Request id',
  pageFailed: 'This page could not be shown',
  notFound: 'There is nothing here',
  notFoundHint: 'The address may be wrong, or what it names was deleted.',
}

/** Above an email that was sent or received. */
export const mailImages = {
  blocked:
    'Remote images are blocked. If you load them, their servers learn when and where you read this email.',
  load: 'Load images',
}

export const formats = {
  never: 'never',
  now: 'just now',
}

export const navigation = {
  label: 'Main',
  overview: 'Overview',
  projects: 'Projects',
  newProject: 'New project',
  switchProject: 'Switch project',
  signOut: 'Sign out',
  theme: 'Appearance',
  themes: { system: 'Same as the system', light: 'Light', dark: 'Dark' },
  language: 'Language',
  openMenu: 'Open the menu',
  apiReference: 'API reference',
  guides: 'Guides',
  palette: 'Search or jump to',
  paletteHint: 'Where to?',
  paletteEmpty: 'Nothing fits.',
  pages: 'Pages',
  actions: 'Actions',
  kinds: {
    contact: 'Contact',
    campaign: 'Campaign',
    template: 'Template',
    layout: 'Layout',
    segment: 'Segment',
    form: 'Form',
    workflow: 'Workflow',
  },
  does: { newCampaign: 'New campaign', newTemplate: 'New template', newSegment: 'New segment' },
  shortcuts: {
    title: 'Keyboard',
    palette: 'Search, jump to a page, do something',
    move: 'Up and down in a list',
    choose: 'Choose',
    close: 'Close what is open',
    help: 'This list',
  },
}
