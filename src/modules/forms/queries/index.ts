// All SQL of forms.
export * from './forms'
export * from './move'
export * from './requests'
export * from './retention'
