// All tables of contacts.
export * from './people/schema'
export * from './work/schema'
