// Who reads documents reads those of Xcode too. They have a module of their own, since the plugin that
// makes classes of definition files needs no YAML.
@_exported public import PropertyLists
