// At Apple too, this module brings os along.
@_exported public import os
